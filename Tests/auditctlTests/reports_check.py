#!/usr/bin/env python3
"""Recomputes every figure of every report from the records, with nothing of the reports' own code.

    auditctl cat --store DIR > cat.ndjson
    for NAME in ...; do auditctl report NAME --store DIR --json > NAME.json; done
    python3 reports_check.py cat.ndjson FOLDER

With --more LOGIN it prints records to append first: what a made-up company has not.

Written from docs/REPORTS.md and docs/EVENTS.md. Prints each difference and exits 1 if there is one.
"""
import bisect
import collections
import datetime
import json
import re
import sys
import time
from urllib.parse import urlsplit

SIGN_INS = {"signIn", "recovery", "unlock", "registration"}
NOW = time.time_ns() // 1000
CODES = {"E0000068": "wrongCode", "E0000087": "wrongCode", "E0000069": "locked", "E0000119": "locked",
         "E0000011": "expired", "E0000105": "expired", "E0000047": "rateLimited", "E0000109": "rateLimited",
         "E0000133": "rateLimited"}
OAUTH = {"access_denied": "rejected", "expired_token": "expired", "invalid_grant": "expired", "slow_down": "rateLimited"}
CLASSIC = {"token:software:totp": "totp", "token": "token", "token:hardware": "token", "token:hotp": "token",
           "u2f": "webauthn"}
ENGINE = {"okta_password": "password", "okta_email": "email", "phone_number": "phone", "okta_verify": "totp",
          "google_otp": "totp", "security_question": "question", "webauthn": "webauthn", "duo": "web",
          "external_idp": "web"}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def micros(text):
    moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
    return (moment - EPOCH) // datetime.timedelta(microseconds=1)


def time_text(value):
    moment = EPOCH + datetime.timedelta(microseconds=value)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def by_code(code, is_password):
    if code == "E0000004":
        return "wrongPassword" if is_password else "wrongCode"
    return CODES.get(code)


class Flow:
    def __init__(self, record):
        self.stream, self.started, self.latest = record["stream"], micros(record["at"]), 0
        self.kind = self.stream.split("/")[0]
        self.events = self.requests = self.retries = 0
        self.ended = self.purpose = self.typed = self.login = self.status = self.standing = None
        self.agent = self.sdk = None
        self.context, self.memory, self.sent = {}, {}, {}
        self.tries, self.changes, self.exchanges, self.tokens, self.path = [], [], [], [], []
        # Each time that it succeeded: from the call that began it to the end.
        self.wins, self.begun = [], self.started
        self.errors, self.setbacks = collections.Counter(), collections.Counter()

    # attempts
    def open(self):
        return self.tries and self.tries[-1]["ended"] is None

    def begin(self, factor):
        if self.open():
            if self.tries[-1]["factor"] == factor:
                return
            self.close("abandoned")
        self.tries.append({"factor": factor, "began": self.now, "ended": None, "failure": None})

    def close(self, failure):
        if self.open():
            self.tries[-1]["ended"], self.tries[-1]["failure"] = self.now, failure

    def succeed(self):
        self.close(None)
        self.standing = None

    def fail(self, reason):
        self.close(reason)
        self.setbacks[reason] += 1
        self.standing = reason

    def is_password(self):
        return bool(self.tries) and self.tries[-1]["factor"] == "password"

    def reach(self, status):
        if status and status != self.status and (not self.path or self.path[-1] != status):
            self.path.append(status)
        self.status = status or self.status

    def change(self, kind, factor=None):
        self.changes.append((kind, factor, self.now))

    # records
    def take(self, record):
        kind, data = record["type"], record["data"]
        if kind == "body.part":
            return
        self.events += 1
        self.now = micros(record["at"])
        self.latest = max(self.latest, self.now)
        if kind == "flow.started":
            self.kind, self.sdk, self.context = data["kind"], data["sdk"], data.get("context", {})
        elif kind == "flow.ended":
            self.ended = data["outcome"]
            self.close("abandoned")
            if self.ended == "success" and self.begun is not None:
                self.wins.append((self.begun, self.now))
            self.begun = None
        elif kind == "call.made":
            self.ended = None
            if self.begun is None and data["call"] not in ("cancel", "reset", "stopPolling", "giveUp", "release"):
                self.begun = self.now
        elif kind == "call.returned" and data["outcome"] == "error":
            details = data["details"]
            self.errors[details.get("errorCode", data["error"])] += 1
            self.fail(self.reason_of(data["error"], details))
        elif kind == "request.sent":
            self.requests += 1
            parts = [":id" if p.startswith("$secret.") or (len(p) >= 16 and re.search("[0-9]", p)) else p
                     for p in urlsplit(data["url"]).path.split("/") if p]
            self.sent[record["n"]] = (data["method"] + " /" + "/".join(parts), self.now)
        elif kind in ("response.received", "request.failed"):
            name, at = self.sent.pop(record["cause"])
            self.exchanges.append((name, data.get("status", 0), data.get("code"), (self.now - at) // 1000))
        elif kind == "timer.set":
            self.retries += data["for"] == "retry"
        elif kind == "draw.made" and data["kind"] == "userAgent":
            self.agent = data["value"]
        elif kind.startswith("token."):
            self.tokens.append((record["n"], self.now, kind[6:], data))
        {"authn": self.authn, "idx": self.idx, "oidc": self.oidc, "device": self.device}[self.kind](kind, data)

    def reason_of(self, error, details):
        if details.get("httpStatus") == 429:
            return "rateLimited"
        found = by_code(details.get("errorCode"), self.is_password())
        if found:
            return found
        if "oauthCode" in details:
            return OAUTH.get(details["oauthCode"], "org")
        if error in ("connectionError", "networkError", "transportError"):
            return "timedOut" if details.get("code") == "timedOut" else "network"
        return "org" if details.get("httpStatus", 0) >= 400 else "client"

    def authn(self, kind, data):
        if kind == "call.made":
            call, given = data["call"], data["arguments"]
            self.memory["call"] = call
            self.typed = given.get("username") or self.typed
            if call == "authenticate":
                self.purpose = self.purpose or "signIn"
                if "password" in given:
                    self.begin("password")
            if call in ("unlockAccount", "recoverPassword"):
                self.purpose = "unlock" if call == "unlockAccount" else "recovery"
                self.memory["factor"] = given["factorType"].lower()
            if call == "enrollFactor":
                self.memory["enrolling"] = self.memory["factors"][given["factor"]]
            if call == "selectFactor":
                self.memory["factor"] = self.memory["factors"][given["factor"]]
            if call in ("selectFactor", "verifyFactor") and "passCode" in given:
                self.begin(self.memory["factor"])
        elif kind == "factor.updated":
            self.updated(data["result"])
        elif kind == "status.changed":
            status, summary, before = data["status"], data["summary"], data.get("previous")
            self.reach(status)
            self.login = summary.get("user", self.login)
            if "sessionToken" in summary:
                self.memory["session"] = "sessionToken"
            factors = [CLASSIC.get(f["type"], f["type"]) for f in summary.get("factors", [])]
            if before == "MFA_ENROLL_ACTIVATE" != status or (
                    before == "MFA_ENROLL" and self.memory.get("call") == "enrollFactor" and status != "MFA_ENROLL_ACTIVATE"):
                self.change("factorEnrolled", self.memory.get("enrolling"))
            elif self.memory.get("call") == "resetPassword":
                self.change("passwordReset")
                self.memory["call"] = None
            elif status == "SUCCESS" and self.purpose == "unlock":
                self.change("unlocked")
            if status == "LOCKED_OUT":
                self.fail("locked")
            elif status in ("MFA_CHALLENGE", "RECOVERY_CHALLENGE"):
                if self.open() and self.is_password():
                    self.succeed()
                result = summary.get("factorResult")
                factor = factors[0] if factors else self.memory.get("factor")
                if factor and result not in ("REJECTED", "TIMEOUT"):
                    self.memory["factor"] = factor
                    self.begin(factor)
                self.updated(result)
            elif status == "MFA_REQUIRED" and self.open() and not self.is_password():
                self.close("abandoned")
            else:
                self.succeed()
            self.memory["factors"] = factors

    def updated(self, result):
        if self.open() and result in ("REJECTED", "TIMEOUT"):
            self.fail("rejected" if result == "REJECTED" else "timedOut")

    def idx(self, kind, data):
        if kind == "call.made":
            given = data["arguments"]
            self.purpose = self.purpose or "signIn"
            proof = False
            for field in given.get("fields", []):
                if field["name"] == "identifier":
                    self.typed = field["value"]
                proof = proof or field["name"].startswith("credentials.")
            if given.get("name") == "challenge-authenticator" and proof:
                self.begin(ENGINE[self.memory["current"]])
        elif kind == "remediation.changed":
            summary, offered = data["summary"], data["offered"]
            self.login = summary.get("user", self.login)
            self.reach("success" if summary.get("success") else offered[0])
            if "answered" in summary or summary.get("success"):
                self.succeed()
            if data.get("chosen") == "select-authenticator-enroll":
                self.memory["enrolling"] = summary.get("current")
            elif data.get("chosen") == "enroll-authenticator" and (
                    "current" not in summary or summary["current"] != self.memory["enrolling"]):
                self.change("factorEnrolled", ENGINE[self.memory.pop("enrolling")])
            self.memory["current"] = summary.get("current")
            if "challenge-poll" in offered and summary.get("current") == "okta_verify":
                self.begin("push")
        elif kind == "message.shown" and data["class"] == "ERROR":
            key = data["key"]
            code = key[7:] if key.startswith("errors.") else key
            self.errors[code] += 1
            found = by_code(code, self.is_password())
            if not found:
                words = key.lower()
                found = ("rejected" if "rejected" in words else "timedOut" if "timed_out" in words else
                         ("wrongPassword" if self.is_password() else "wrongCode") if "invalid" in words else "org")
            self.fail(found)

    def oidc(self, kind, data):
        if kind == "call.made":
            self.purpose = self.purpose or ("signIn" if data["call"].startswith("signIn") else "tokens")
        elif kind == "token.refreshed":
            self.reach("renewed")
        elif kind == "token.revoked":
            self.reach("revoked")
        elif kind == "token.refused":
            self.reach(data["error"])

    def device(self, kind, data):
        if kind == "call.made":
            isChallenge = data["call"] in ("receive", "resolve", "retrySubmission")
            self.purpose = self.purpose or ("challenge" if isChallenge else "enrollment")
        elif kind == "enrollment.completed":
            self.reach("enrolled")
            self.login = data["userName"]
            self.change("factorEnrolled", "push")
        elif kind == "enrollment.deleted":
            self.reach("deleted")
            self.change("factorRemoved", "push")
        elif kind == "challenge.parsed":
            self.reach("challenged")
            self.begin("push")
            self.login = data["userName"]
            self.memory["transaction"] = data["transactionId"]
        elif kind == "consent.requested":
            self.reach("asked")
        elif kind == "consent.given":
            self.memory["answer"] = data["answer"]
        elif kind == "response.signed":
            self.memory.update(key=data["kid"], keyType=data["keyType"])
        elif kind == "challenge.resolved":
            self.reach(data["outcome"])
            if data["outcome"] == "approved":
                self.succeed()
            else:
                self.fail("rejected")

    # what reports say
    @property
    def user(self):
        return self.typed or self.login

    @property
    def outcome(self):
        if self.ended in ("abandoned", "terminal") and self.standing:
            return "lockedOut" if self.standing == "locked" else "failed"
        return self.ended or "open"

    @property
    def reason(self):
        if self.ended in (None, "success", "approved"):
            return None
        return self.standing or {"terminal": None, "lockedOut": "locked", "failed": "client"}.get(self.ended, "abandoned")

    @property
    def place(self):
        return self.context.get("client", {}).get("address") or self.context.get("device") or self.context.get("instance")

    @property
    def took(self):
        return (self.latest - self.started) // 1000

    @property
    def factors(self):
        names = [t["factor"] for t in self.tries]
        return ", ".join(n for i, n in enumerate(names) if i == 0 or names[i - 1] != n)

    @property
    def app(self):
        app = self.context.get("app", {})
        return " ".join(x for x in (app.get("name") or app.get("id"), app.get("version")) if x) or None

    @property
    def is_sign_in(self):
        return self.purpose in SIGN_INS

    @property
    def is_plain(self):
        return self.purpose == "signIn"

    @property
    def hardware(self):
        return self.context.get("device")


def percentile(percent, values):
    values = sorted(values)
    return values[max(1, -(-len(values) * percent // 100)) - 1] if values else None


def percent(part, whole):
    if not whole:
        return None
    tenths = (part * 2000 + whole) // (2 * whole)
    return (min(tenths, 999) if part < whole else tenths) / 10


def counted(counter, name):
    total = sum(counter.values())
    return [{name: k, "count": v, "percent": percent(v, total)}
            for k, v in sorted(counter.items(), key=lambda i: (-i[1], i[0]))]


def words(counter, mark=" "):
    return ", ".join(f"{k}{mark}{v}" for k, v in sorted(counter.items(), key=lambda i: (-i[1], i[0])))


def verified(attempt):
    return attempt["ended"] is not None and attempt["failure"] is None


def failures(flows):
    by = {"user": collections.defaultdict(collections.Counter), "place": collections.defaultdict(collections.Counter)}
    reasons, setbacks, errors = collections.Counter(), collections.Counter(), collections.Counter()
    for f in flows:
        setbacks.update(f.setbacks)
        errors.update(f.errors)
        if f.reason:
            reasons[f.reason] += 1
            by["user"][(f.user or "unknown").lower()][f.reason] += 1
            by["place"][f.place or "unknown"][f.reason] += 1

    def rows(name):
        found = []
        for key, counter in sorted(by[name].items(), key=lambda i: (-sum(i[1].values()), i[0])):
            main = sorted(counter.items(), key=lambda i: (-i[1], i[0]))[0]
            found.append({name: key, "failed": sum(counter.values()), "mainReason": main[0], "ofThatReason": main[1]})
        return found
    return {"reasons": counted(reasons, "reason"), "users": rows("user"), "places": rows("place"),
            "setbacks": counted(setbacks, "reason"), "errors": counted(errors, "code")}


def factors(flows):
    uses, changes = collections.defaultdict(list), collections.defaultdict(collections.Counter)
    for f in flows:
        for t in f.tries:
            uses[t["factor"]].append(t)
        for kind, factor, _ in f.changes:
            if kind in ("factorEnrolled", "factorRemoved"):
                changes[factor or "unknown"][kind] += 1
    rows = []
    for name, tries in sorted(uses.items(), key=lambda i: (-len(i[1]), i[0])):
        times = [(t["ended"] - t["began"]) // 1000 for t in tries if verified(t)]
        rows.append({"factor": name, "tries": len(tries), "verified": len(times),
                     "verifiedPercent": percent(len(times), len(tries)), "p50Ms": percentile(50, times),
                     "p95Ms": percentile(95, times),
                     "failures": words(collections.Counter(t["failure"] for t in tries if t["failure"])),
                     "open": sum(t["ended"] is None for t in tries)})
    return {"factors": rows, "changes": [
        {"factor": n, "enrolled": c["factorEnrolled"], "removed": c["factorRemoved"]} for n, c in sorted(changes.items())]}


def origins(flows):
    """What the origin of each flow is to its person: known, new, or first if no success is earlier."""
    known, found = {}, {}
    for f in flows:
        if f.user is None:
            continue
        user, name = f.user.lower(), f.hardware or f.place
        if name:
            found[f.stream] = "first" if user not in known else "known" if name in known[user] else "new"
        if f.is_sign_in and f.outcome == "success":
            known.setdefault(user, set()).update({name} if name else {})
    return found


def enrollments(flows):
    origin = origins(flows)
    found = sorted(((at, kind, factor or "unknown", f) for f in flows for kind, factor, at in f.changes
                    if kind in ("factorEnrolled", "factorRemoved")), key=lambda c: c[0])
    standing, rows, totals = {}, [], collections.defaultdict(lambda: [0, 0, 0, set()])
    for at, kind, factor, f in found:
        key = ((f.user or "").lower(), factor)
        before = standing.get(key) if f.user else None
        if kind == "factorEnrolled":
            standing[key] = time_text(at)
        else:
            standing.pop(key, None)
        total = totals[factor]
        total[0] += kind == "factorEnrolled"
        total[1] += kind == "factorEnrolled" and before is not None
        total[2] += kind == "factorRemoved"
        total[3].update({f.user.lower()} if f.user else set())
        proofs = [t["factor"] for t in f.tries if verified(t) and t["ended"] <= at]
        rows.append({"at": time_text(at), "user": f.user, "change": kind, "factor": factor, "place": f.place,
                     "device": f.hardware, "origin": origin.get(f.stream), "proofs": ", ".join(proofs) or None,
                     "before": before, "client": f.app or f.agent, "outcome": f.outcome, "flow": f.stream})
    return {"changes": rows, "totals": [{"factor": n, "enrolled": t[0], "again": t[1], "removed": t[2], "users": len(t[3])}
                                        for n, t in sorted(totals.items())]}


def overlaps(flows, seconds=60):
    """Each success beside the one from elsewhere that ended last before it: every pair is looked at."""
    def origin(f):
        return f.context.get("client", {}).get("address"), f.hardware

    def difference(one, other):
        return ", ".join(n for n, a, b in zip(("address", "device"), origin(one), origin(other)) if a and b and a != b)
    mine, rows, users = collections.defaultdict(list), [], collections.Counter()
    for f in flows:
        if f.user and any(origin(f)):
            mine[f.user.lower()] += [(began, ended, f) for began, ended in f.wins]
    for user, own in mine.items():
        own = sorted(enumerate(own), key=lambda i: (i[1][0], i[0]))
        for place, (_, (began, _, f)) in enumerate(own):
            near = [(end, n, start, o) for n, (start, end, o) in own[:place]
                    if began - end <= seconds * 1_000_000 and difference(o, f)]
            if near:
                end, _, start, o = max(near, key=lambda n: n[:2])
                users[user] += 1
                rows.append({"first": time_text(start), "last": time_text(began), "user": user,
                             "apartMs": max(0, began - end) // 1000, "differs": difference(o, f),
                             "address": origin(o)[0], "otherAddress": origin(f)[0], "device": o.hardware,
                             "otherDevice": f.hardware, "flow": o.stream, "otherFlow": f.stream})
    return {"users": counted(users, "user"), "overlaps": sorted(rows, key=lambda r: r["last"])}


def shared(flows):
    things = collections.defaultdict(list)
    for f in flows:
        if f.user:
            for kind, name in (("device", f.hardware), ("key", f.memory.get("key"))):
                if name:
                    things[kind, name].append(f)
    rows = []
    for (kind, name), own in things.items():
        users = {f.user.lower() for f in own}
        if len(users) > 1:
            good = {f.user.lower() for f in own if f.outcome in ("success", "approved")}
            rows.append({"kind": kind, "id": name, "users": len(users), "names": ", ".join(sorted(users)),
                         "entered": ", ".join(sorted(good)), "flows": len(own),
                         "first": time_text(min(f.started for f in own)), "last": time_text(max(f.started for f in own))})
    return {"shared": sorted(rows, key=lambda r: (-r["users"], r["first"], r["id"], r["kind"]))}


def push(flows):
    people, outcomes = collections.defaultdict(list), collections.Counter()
    for f in flows:
        for t in f.tries:
            if t["factor"] == "push":
                outcomes["approved" if verified(t) else t["failure"] or "open"] += 1
                people[(f.user or "unknown").lower()].append((t["began"], t, f))
    episodes = []
    for user, pushes in people.items():
        pushes.sort(key=lambda p: p[0])
        runs, run = [], []
        for at, t, flow in pushes:
            if run and at - run[-1][0] > 600_000_000:
                runs.append(run)
                run = []
            if verified(t):
                if run:
                    runs.append(run + [(at, t, flow)])
                run = []
            elif t["failure"] in ("rejected", "timedOut", "abandoned"):
                run.append((at, t, flow))
        runs.append(run)
        for run in runs:
            bad = [t for _, t, _ in run if not verified(t)]
            if len(bad) >= 3:
                good = run[-1] if verified(run[-1][1]) else None
                episodes.append({
                    "first": time_text(run[0][0]), "last": time_text(run[-1][0]), "user": user,
                    "rejected": sum(t["failure"] == "rejected" for t in bad),
                    "unanswered": sum(t["failure"] != "rejected" for t in bad),
                    "approvedAt": time_text(good[0]) if good else None, "flow": (good or run[-1])[2].stream,
                    "place": ", ".join(dict.fromkeys(f.place for _, _, f in run if f.place)) or None})
    episodes.sort(key=lambda e: (e["first"], e["user"]))
    users = [{"user": u, "pushes": len(p), "approved": sum(verified(t) for _, t, _ in p),
              "rejected": sum(t["failure"] == "rejected" for _, t, _ in p),
              "unanswered": sum(t["failure"] in ("timedOut", "abandoned") for _, t, _ in p)}
             for u, p in sorted(people.items(), key=lambda i: (-len(i[1]), i[0]))]
    numbers = sorted(u["pushes"] for u in users)
    quick = [{"at": time_text(at), "user": u, "tookMs": (t["ended"] - at) // 1000, "place": f.place, "device": f.hardware,
              "flow": f.stream} for u, p in people.items() for at, t, f in p
             if verified(t) and (t["ended"] - at) // 1000 <= 6000]
    return {"outcomes": counted(outcomes, "outcome"), "fatigue": episodes, "users": users,
            "perUser": [{"users": len(users), "pushes": sum(numbers), "p50": percentile(50, numbers),
                         "p95": percentile(95, numbers), "most": numbers[-1]}] if numbers else [],
            "quick": sorted(quick, key=lambda r: (r["at"], r["flow"]))}


def windows(flows, seconds, users, tries, share, without=()):
    """The windows of each place; what belongs to the episodes in `without` is not counted."""
    places = collections.defaultdict(list)
    for f in flows:
        for t in f.tries:
            failed = t["failure"] in ("wrongPassword", "locked")
            if any(e["place"] == f.place and e["first"] <= time_text(t["began"]) <= e["last"] for e in without):
                continue
            if t["factor"] == "password" and (verified(t) or failed):
                places[f.place].append((t["began"], (f.user or "unknown").lower(), failed))
    found = []
    for place, attempts in places.items():
        attempts.sort(key=lambda a: a[0])
        spans = []
        times = [a[0] for a in attempts]
        for end in range(len(attempts)):
            start = bisect.bisect_left(times, times[end] - seconds * 1_000_000)
            window = attempts[start:end + 1]
            bad = [a for a in window if a[2]]
            names = {a[1] for a in bad}
            if len(names) < users or len(bad) * 100 < len(window) * share or len(bad) > tries * len(names):
                continue
            if spans and spans[-1][1] >= start:
                spans[-1][1] = end
            else:
                spans.append([start, end])
        for start, end in spans:
            window = attempts[start:end + 1]
            bad = [a for a in window if a[2]]
            found.append({"first": time_text(window[0][0]), "last": time_text(window[-1][0]), "place": place,
                          "users": len({a[1] for a in window}), "tries": len(window), "failed": len(bad),
                          "failedPercent": percent(len(bad), len(window)),
                          "entered": ", ".join(sorted({a[1] for a in window if not a[2]}))})
    return sorted(found, key=lambda e: (e["first"], e["place"]))


def guessing(flows, seconds=3600, least=8):
    """Each wrong try is looked at with all before it: those of its window, of the same time between two lockouts."""
    mine = collections.defaultdict(lambda: ([], [], []))
    for f in flows:
        if not f.user:
            continue
        wrong, good, locked = mine[f.user.lower()]
        wrong += [(t["began"], f.stream, f.place) for t in f.tries if t["failure"] in ("wrongPassword", "wrongCode")]
        if f.purpose != "unlock":
            good += [(end, f.stream, f.place) for _, end in f.wins]
        if f.setbacks["locked"]:
            locked.append(([t["ended"] for t in f.tries if t["failure"] == "locked"] or [f.latest])[-1])
    rows, span = [], seconds * 1_000_000
    for user, (wrong, good, locked) in mine.items():
        wrong.sort(key=lambda w: w[:2])
        good.sort(key=lambda g: g[:2])
        lives = collections.defaultdict(list)
        for w in wrong:
            lives[sum(at < w[0] for at in locked)].append(w)
        for life in lives.values():
            runs = []
            for end, w in enumerate(life):
                near = [i for i in range(end + 1) if w[0] - life[i][0] <= span]
                if len(near) < least:
                    continue
                if runs and runs[-1][1] >= near[0]:
                    runs[-1][1] = end
                else:
                    runs.append([near[0], end, w[0]])
            for start, end, met in runs:
                last = life[end]
                lock = min((at for at in locked if at >= last[0]), default=None)
                inside = [g for g in good if g[0] > met and g[0] - last[0] <= span and (lock is None or g[0] < lock)]
                success = inside[0] if inside else None
                places = list(dict.fromkeys(p for _, _, p in life[start:end + 1] if p))
                outcome = "succeeded" if success else "locked" if lock is not None and lock - last[0] <= span else "stopped"
                rows.append({"first": time_text(life[start][0]), "last": time_text(last[0]), "user": user,
                             "tries": end + 1 - start, "places": len(places), "place": ", ".join(places) or None,
                             "outcome": outcome, "enteredAt": time_text(success[0]) if success else None,
                             "enteredPlace": success[2] if success else None, "flow": (success or last)[1]})
    return {"episodes": sorted(rows, key=lambda r: (r["first"], r["user"]))}


def lockouts(flows, everyone):
    wrong, unlocked, entered = (collections.defaultdict(list) for _ in range(3))
    for f in everyone:
        user = (f.user or "unknown").lower()
        wrong[user] += [t["began"] for t in f.tries if t["factor"] == "password" and t["failure"] == "wrongPassword"]
        unlocked[user] += [at for kind, _, at in f.changes if kind == "unlocked"]
        if f.is_plain:
            entered[user] += [end for _, end in f.wins]
    rows, users, locked, found = [], collections.Counter(), collections.defaultdict(list), collections.defaultdict(list)
    for f in flows:
        if f.setbacks["locked"]:
            user = (f.user or "unknown").lower()
            users[user] += 1
            # A flow that is kept may go on long after it met the lock.
            gone = [] if f.standing == "locked" else [t["ended"] for t in f.tries if t["failure"] == "locked"]
            met = gone[-1] if gone else f.latest
            found[user].append(met)
            after = [at for at in unlocked[user] if at >= met]
            later = [at for at in entered[user] if at > met]
            if not after and not later:
                locked[user].append(time_text(f.latest))
            rows.append({"at": time_text(f.latest), "user": user,
                         "wrongPasswords": sum(0 <= f.latest - at <= 86_400_000_000 for at in wrong[user]),
                         "place": f.place, "unlockedAt": time_text(min(after)) if after else None,
                         "enteredAt": time_text(min(later)) if later else None, "flow": f.stream})
    still = [{"user": u, "first": t[0], "last": t[-1]} for u, t in sorted(locked.items(), key=lambda i: (i[1][0], i[0]))]
    opened = []
    for f in everyone:
        for at in (at for kind, _, at in f.changes if kind == "unlocked"):
            user = (f.user or "unknown").lower()
            met = [t for t in found[user] if t <= at]
            # Who got in, or was unlocked, after the lockout was not locked any more.
            if met and not any(max(met) < t < at for t in entered[user]) and not any(
                    max(met) <= t < at for t in unlocked[user]):
                proofs = [t["factor"] for t in f.tries if verified(t) and t["ended"] <= at]
                opened.append({"at": time_text(at), "user": user, "lockedAt": time_text(max(met)),
                               "lockedMs": (at - max(met)) // 1000, "proofs": ", ".join(proofs), "place": f.place,
                               "flow": f.stream})
    return {"users": counted(users, "user"), "lockouts": rows, "locked": still,
            "unlocked": sorted(opened, key=lambda r: (r["at"], r["flow"]))}


def recovery(flows):
    rows, kinds, origin = [], collections.Counter(), origins(flows)
    entered = collections.defaultdict(list)
    for f in flows:
        if f.user and f.is_plain:
            entered[f.user.lower()] += [(end, f.stream, f.place) for _, end in f.wins]
    for f in flows:
        for kind, _, at in f.changes:
            if kind in ("passwordChanged", "passwordReset", "unlocked", "registered"):
                kinds[kind] += 1
                proofs = [t["factor"] for t in f.tries if verified(t) and t["ended"] <= at]
                later = min((e for e in entered[(f.user or "").lower()] if e[0] > at), default=None)
                rows.append({"at": time_text(at), "user": f.user, "change": kind, "proofs": ", ".join(proofs),
                             "place": f.place, "device": f.hardware, "origin": origin.get(f.stream),
                             "outcome": f.outcome, "enteredAt": time_text(later[0]) if later else None,
                             "enteredPlace": later[2] if later else None, "flow": f.stream})
    return {"totals": counted(kinds, "change"), "changes": rows}


def lives(flows):
    """The tokens by when they began; the events of each in the order of the log, even if the clock was put back."""
    found = collections.OrderedDict()
    for f in flows:
        for n, at, name, data in f.tokens:
            if name == "awaited" or (name == "refused" and not data.get("id")):
                continue
            found.setdefault(data.get("id") or f.stream.split("/", 1)[1], []).append((n, at, name, data, f.stream))
    lives = {i: [e[1:] for e in sorted(events, key=lambda e: e[0])] for i, events in found.items()}
    return sorted(lives.items(), key=lambda i: (i[1][0][0], i[0]))


def life_status(events):
    for _, name, data, _ in reversed(events):
        if name in ("issued", "refreshed"):
            return "active"
        if name == "refused" and data["operation"] == "renew":
            return "refused"
        if name == "revoked" and data.get("hint") != "access_token":
            return "revoked"
    return "active"


def expires(events):
    last = [(at, data) for at, name, data, _ in events if name in ("issued", "refreshed")]
    if not last or "expiresIn" not in last[-1][1]:
        return None
    return time_text(last[-1][0] + last[-1][1]["expiresIn"] * 1_000_000)


def standing(events):
    end = expires(events)
    if life_status(events) != "active" or end is None or micros(end) > NOW:
        return life_status(events)
    scope = next((data["scope"] for _, _, data, _ in reversed(events) if "scope" in data), "")
    renewable = any("refresh_token" in data.get("tokens", {}) for _, _, data, _ in events)
    return "renewable" if renewable or "offline_access" in scope.split() else "expired"


def tokens(flows):
    origins = {}
    for f in flows:
        for n, _, _, data in f.tokens:
            key = data.get("id") or f.stream.split("/", 1)[1]
            o = origins.setdefault(key, {"user": None, "first": (n, f), "last": (n, f)})
            o["user"] = o["user"] or f.user
            if n < o["first"][0]:
                o["first"] = (n, f)
            if n >= o["last"][0]:
                o["last"] = (n, f)
    rows = [{"id": i, "user": origins[i]["user"], "began": time_text(e[0][0]), "status": standing(e),
             "place": origins[i]["first"][1].place, "device": origins[i]["first"][1].hardware,
             "lastPlace": origins[i]["last"][1].place, "expires": expires(e), "renewed": sum(x[1] == "refreshed" for x in e),
             "lastAt": time_text(e[-1][0]), "last": e[-1][1],
             "scope": next((x[2]["scope"] for x in reversed(e) if "scope" in x[2]), None), "issuer": None,
             "flow": e[0][3]} for i, e in lives(flows)]
    rows.sort(key=lambda r: r["status"] not in ("active", "renewable"))
    return {"statuses": counted(collections.Counter(r["status"] for r in rows), "status"), "tokens": rows}


def thefts(flows):
    uses, users = collections.defaultdict(list), {}
    for f in flows:
        for n, at, name, data in f.tokens:
            if name == "refused" and not (data.get("id") and data.get("operation") == "renew"):
                continue
            if name not in ("issued", "stored", "refreshed", "refused", "revoked", "cleared"):
                continue
            if name == "revoked" and data.get("hint") == "access_token":
                continue
            key = data.get("id") or f.stream.split("/", 1)[1]
            if f.user:
                users.setdefault(key, f.user)
            uses[key].append((n, at, name, f.context.get("device"), f.context.get("client", {}).get("address"), f.stream))
    rows = []
    for key, events in uses.items():
        events = [e[1:] for e in sorted(events, key=lambda e: e[0])]
        first = next((e for e in events if e[2] or e[3]), None)
        if first is None:
            continue
        own, address, addresses, ended, seen, odd = first[2], first[3], {first[3]} - {None}, False, False, {}
        for at, name, device, place, stream in events:
            renewed = name in ("refreshed", "refused")
            why = None
            if renewed and ended:
                why = "after their end"
            elif renewed and own and device:
                why = None if own == device else "another device"
            elif renewed and place and addresses and place not in addresses:
                why = "another place"
            if why is None:
                ended |= name in ("revoked", "cleared")
                if place and (renewed or not seen) and name not in ("revoked", "cleared"):
                    address = place
                    addresses.add(place)
                seen |= name not in ("revoked", "cleared")
                for row in odd.values():
                    row["heldSince"] = "yes" if renewed else row["heldSince"]
                continue
            row = odd.setdefault((why, device, None if device else place), {
                "first": time_text(at), "user": users.get(key), "id": key, "cause": why, "uses": 0, "device": device,
                "place": place, "ownDevice": own, "ownPlace": address, "heldSince": "no", "flow": stream})
            row["uses"] += 1
            row["last"] = time_text(at)
        rows += odd.values()
    return {"findings": sorted(rows, key=lambda r: (r["first"], r["id"]))}


def sessions(flows):
    status = {i: (standing(e), expires(e)) for i, e in lives(flows)}
    rows = []
    for f in flows:
        issued = [data for _, _, name, data in f.tokens if name == "issued"]
        now, end = status[issued[-1].get("id") or f.stream.split("/", 1)[1]] if issued else (None, None)
        if f.is_sign_in and f.wins and (issued or "session" in f.memory or f.kind == "idx"):
            rows.append({"at": time_text(f.wins[-1][1]), "user": f.user, "brought": "tokens" if issued else f.memory.get("session", "session"),
                         "place": f.place, "device": f.hardware, "factors": f.factors, "flow": f.stream, "tokens": now,
                         "expires": end})
    # Those of one time stay in the order of the log.
    return {"sessions": sorted(rows, key=lambda r: r["at"])}


def devices(flows):
    rows = [{"at": time_text(f.started), "user": f.user, "transaction": f.memory["transaction"],
             "answer": f.memory["answer"], "status": f.status, "keyType": f.memory["keyType"], "key": f.memory["key"],
             "verification": None, "reason": f.reason, "flow": f.stream}
            for f in flows if f.kind == "device" and f.purpose == "challenge"]
    changes = [{"at": time_text(at), "user": f.user, "change": "enrolled" if kind == "factorEnrolled" else "removed",
                "flow": f.stream} for f in flows if f.kind == "device" for kind, _, at in f.changes]
    return {"outcomes": counted(collections.Counter(r["status"] for r in rows), "status"), "challenges": rows,
            "changes": changes}


def latency(flows):
    times = collections.defaultdict(list)
    for f in flows:
        for name, _, failure, ms in f.exchanges:
            if failure is None:
                times[name].append(ms)

    def row(name, values):
        return {"request": name, "count": len(values), "p50Ms": percentile(50, values), "p95Ms": percentile(95, values),
                "p99Ms": percentile(99, values), "maxMs": max(values)}
    slow = [{"ms": ms, "request": name, "at": time_text(f.started), "user": f.user, "flow": f.stream}
            for f in flows for name, _, failure, ms in f.exchanges if failure is None]
    return {"requests": [row("all", [v for t in times.values() for v in t])] + [
        row(n, t) for n, t in sorted(times.items(), key=lambda i: (-len(i[1]), i[0]))],
        "slowest": sorted(slow, key=lambda r: -r["ms"])[:10],
        # No answer of a company says how long its parts took.
        "parts": []}


def http(flows):
    statuses, broken, names = collections.Counter(), collections.Counter(), collections.defaultdict(collections.Counter)
    for f in flows:
        for name, status, failure, _ in f.exchanges:
            names[name][failure or str(status)] += 1
            (broken if failure else statuses)[failure or str(status)] += 1
    asked = sum(f.requests for f in flows)
    met = collections.defaultdict(list)
    for f in flows:
        bad = [sum(500 <= x[1] < 600 for x in f.exchanges), sum(x[2] is not None for x in f.exchanges),
               sum(x[1] == 429 for x in f.exchanges)]
        if any(bad):
            met[f.user if f.user is None else f.user.lower()].append((bad, f))
    affected = [{"user": u, "serverErrors": sum(b[0] for b, _ in own), "failures": sum(b[1] for b, _ in own),
                 "unanswered": sum(f.requests - len(f.exchanges) for _, f in own), "rateLimits": sum(b[2] for b, _ in own), "flows": len(own),
                 "failed": sum(f.reason is not None for _, f in own), "first": time_text(min(f.started for _, f in own)),
                 "last": time_text(max(f.started for _, f in own))} for u, own in met.items()]
    affected.sort(key=lambda r: (-r["serverErrors"], -r["failures"], -r["rateLimits"], r["user"] is not None,
                                 r["user"] or ""))
    totals = [("requests", asked), ("answers", sum(statuses.values())), ("failures", sum(broken.values())),
              ("unanswered", asked - sum(statuses.values()) - sum(broken.values())), ("rate limits", statuses["429"]),
              ("retries", sum(f.retries for f in flows)), ("TLS failures", broken["tlsFailed"])]
    return {"totals": [{"what": w, "count": c} for w, c in totals], "statuses": counted(+statuses, "status"),
            "failures": counted(+broken, "code"), "affected": affected, "troubled": [
                {"at": time_text(f.started), "user": f.user, "request": n, "answer": failure or str(status), "ms": ms,
                 "flow": f.stream} for f in flows for n, status, failure, ms in f.exchanges
                if failure or status == 429 or status // 100 == 5], "requests": [
                {"request": n, "count": sum(c.values()), "answers": words(c, ": ")}
                for n, c in sorted(names.items(), key=lambda i: (-sum(i[1].values()), i[0]))]}


def clients(flows):
    def count(value):
        return collections.Counter(value(f) or "unknown" for f in flows)
    mine = collections.defaultdict(list)
    for f in flows:
        if f.is_plain:
            mine[f.app or "unknown"].append(f)
    rows = [{"app": app, "signIns": len(own), "succeeded": sum(f.outcome == "success" for f in own),
             "succeededPercent": percent(sum(f.outcome == "success" for f in own), len(own)),
             "failed": sum(f.reason is not None for f in own)}
            for app, own in sorted(mine.items(), key=lambda i: (-len(i[1]), i[0]))]
    hosts = collections.defaultdict(list)
    for f in flows:
        hosts[f.context.get("instance") or "unknown"].append(time_text(f.started))
    instances = [{"instance": name, "count": len(times), "percent": percent(len(times), len(flows)), "first": min(times),
                  "last": max(times)} for name, times in sorted(hosts.items(), key=lambda i: (-len(i[1]), i[0]))]
    return {"signIns": rows, "instances": instances, "sdks": counted(count(lambda f: f.sdk), "sdk"), "apps": counted(count(lambda f: f.app), "app"),
            "systems": counted(count(lambda f: f.context.get("client", {}).get("os")), "os"),
            "userAgents": counted(count(lambda f: f.agent), "userAgent")}


STRENGTH = {"webauthn": "phishing-resistant", "signed_nonce": "phishing-resistant",
            "smart_card_idp": "phishing-resistant", "push": "possession", "totp": "possession", "token": "possession",
            "web": "elsewhere", "sms": "phone or mail", "call": "phone or mail", "phone": "phone or mail",
            "email": "phone or mail", "password": "knowledge", "question": "knowledge"}
STRONGEST = ["phishing-resistant", "possession", "elsewhere", "other", "phone or mail", "knowledge"]


def people(flows, now):
    mine = collections.defaultdict(list)
    for f in flows:
        mine[(f.user or "unknown").lower()].append(f)
    rows = []
    for name, own in sorted(mine.items(), key=lambda i: (-sum(f.is_plain for f in i[1]), i[0])):
        good = [f for f in own if f.outcome == "success" and f.is_plain]
        used = [{t["factor"] for t in f.tries if verified(t)} for f in good]
        rows.append({"user": name, "signIns": sum(f.is_plain for f in own), "recoveries": sum(not f.is_plain for f in own),
                     "devices": len({f.hardware for f in own} - {None}), "succeeded": len(good), "withSecond": sum(len(u) > 1 for u in used),
                     "factors": ", ".join(sorted(set().union(*used))), "places": len({f.place for f in own} - {None}),
                     "first": time_text(min(f.started for f in own)), "last": time_text(max(f.started for f in own))})
    strength, quiet, first = collections.Counter(), [], []
    for name, own in mine.items():
        if not any(f.user for f in own):
            continue
        good = [f for f in own if f.outcome == "success" and f.is_plain]
        used = {STRENGTH.get(t["factor"], "other") for f in good for t in f.tries if verified(t)}
        if good:
            strength[next((s for s in STRONGEST if s in used), "none")] += 1
        begun = [(start, f) for f in own if f.user and f.is_plain for start, _ in f.wins]
        if begun:
            start, f = min(begun, key=lambda b: b[0])
            first.append({"at": time_text(start), "user": name, "place": f.place, "device": f.hardware,
                          "factors": f.factors, "flow": f.stream})
        wins = [end for f in own if f.user and f.is_plain for _, end in f.wins if end <= now]
        if wins:
            last = max(wins)
            if now - last > 90 * 86_400_000_000:
                quiet.append({"user": name, "lastSuccess": time_text(last), "days": (now - last) // 86_400_000_000})
    quiet.sort(key=lambda r: (r["lastSuccess"], r["user"]))
    first.sort(key=lambda r: (r["at"], r["user"]))
    return {"people": rows, "first": first, "strength": counted(strength, "strength"), "quiet": quiet, "withoutSecond": [{k: r[k] for k in ("user", "succeeded", "last")}
                                              for r in rows if r["succeeded"] and not r["withSecond"]]}


def named(flows):
    """How many users the flows name."""
    return len({f.user.lower() for f in flows if f.user})


def places(flows):
    mine, new, origin = collections.defaultdict(list), [], origins(flows)
    for f in flows:
        mine[f.place or "unknown"].append(f)
        if origin.get(f.stream) == "new" and f.outcome == "success":
            new.append({"at": time_text(f.started), "user": f.user, "device": f.hardware, "place": f.place,
                        "factors": f.factors, "flow": f.stream})
    rows = [{"place": p, "users": named(own),
             "signIns": sum(f.is_plain for f in own), "recoveries": sum(not f.is_plain for f in own), "failed": sum(f.reason is not None for f in own),
             "failedPercent": percent(sum(f.reason is not None for f in own), len(own)),
             "first": time_text(min(f.started for f in own)), "last": time_text(max(f.started for f in own))}
            for p, own in mine.items()]
    return {"places": sorted(rows, key=lambda r: (-r["users"], -r["signIns"] - r["recoveries"], r["place"])), "new": new}


def hours(flows):
    mine, week, outside = collections.defaultdict(list), collections.defaultdict(list), []
    names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    for f in flows:
        if not f.is_plain:
            continue
        hour = int(time_text(f.started)[11:13])
        day = (f.started // 86_400_000_000 + 3) % 7
        mine[hour].append(f)
        week[day].append(f)
        if day > 4 or not 7 <= hour < 19:
            outside.append({"at": time_text(f.started), "day": names[day],
                            "user": f.user, "place": f.place, "factors": f.factors, "outcome": f.outcome, "flow": f.stream})
    return {"hours": [{"hour": h, "signIns": len(own), "failed": sum(f.reason is not None for f in own),
                       "users": named(own)} for h, own in sorted(mine.items())],
            "weekdays": [{"day": names[d], "signIns": len(own), "failed": sum(f.reason is not None for f in own),
                          "failedPercent": percent(sum(f.reason is not None for f in own), len(own)),
                          "users": named(own)} for d, own in sorted(week.items())],
            "outside": outside}


def days(flows):
    def day(f, back=0):
        return time_text((f.started // 86_400_000_000 - back) * 86_400_000_000)[:10]

    def row(own):
        plain = [f for f in own if f.is_plain]
        ends = collections.Counter(f.outcome for f in plain)
        known = [ends[o] for o in ("success", "failed", "lockedOut", "abandoned")]
        return {"signIns": len(plain), "succeeded": known[0], "failed": known[1], "lockedOut": known[2],
                "abandoned": known[3], "other": len(plain) - sum(known), "recoveries": len(own) - len(plain),
                "users": named(own)}
    by, weeks = collections.defaultdict(list), collections.defaultdict(list)
    for f in flows:
        by[day(f)].append(f)
        weeks[day(f, (f.started // 86_400_000_000 + 3) % 7)].append(f)
    first, last = datetime.date.fromisoformat(min(by)), datetime.date.fromisoformat(max(by))
    every = [first + datetime.timedelta(days=n) for n in range((last - first).days + 1)]
    mondays = sorted({str(d - datetime.timedelta(days=d.weekday())) for d in every})
    return {"days": [{"day": str(d), "weekday": d.strftime("%a"), **row(by.get(str(d), []))} for d in every],
            "weeks": [{"week": w, **row(weeks.get(w, []))} for w in mondays]}


def entry(finding, user, flows):
    """When someone got in by a finding that says so: an approval, a right password, a use of tokens."""
    if finding["rule"] == "theft":
        return finding["first"]
    if finding["rule"] == "guessing":
        return finding["at"]
    # Those of the person that succeeded between the first and the last of the finding.
    tries = [t for f in flows if f.is_sign_in and (f.user or "unknown").lower() == user and
             (finding["rule"] == "fatigue" or f.place == finding["place"]) for t in f.tries
             if verified(t) and t["factor"] == ("push" if finding["rule"] == "fatigue" else "password")
             and finding["first"] <= time_text(t["began"]) <= finding["last"]]
    return min(time_text(t["ended" if finding["rule"] == "fatigue" else "began"]) for t in tries)


def detections(push, slow, bursts, guesses, theft, locked, flows):
    found = [{"first": e["first"], "last": e["last"], "rule": "fatigue", "names": [e["user"]], "place": e["place"],
              "entered": "yes" if e["approvedAt"] else "no", "flow": e["flow"],
              "what": f"{e['rejected']} refused, {e['unanswered']} unanswered, "
                      f"{'then one' if e['approvedAt'] else 'none'} approved"} for e in push]
    for rule, episodes in (("spray", slow), ("stuffing", bursts)):
        found += [{"first": e["first"], "last": e["last"], "rule": rule, "place": e["place"], "flow": None,
                   "names": e["entered"].split(", ") if e["entered"] else [], "entered": "yes" if e["entered"] else "no",
                   "what": f"{e['tries']} tries on {e['users']} account{'' if e['users'] == 1 else 's'}, {e['failed']} failed"}
                  for e in episodes]
    ends = {"succeeded": "then one succeeded", "locked": "then the account was locked", "stopped": "none succeeded"}
    found += [{"first": e["first"], "last": e["last"], "rule": "guessing", "names": [e["user"]], "place": e["place"],
               "entered": "yes" if e["enteredAt"] else "no", "flow": e["flow"], "at": e["enteredAt"],
               "what": f"{e['tries']} wrong tries, {ends[e['outcome']]}"} for e in guesses]
    found += [{"first": e["first"], "last": e["last"], "rule": "theft", "names": [e["user"].lower()] if e["user"] else [],
               "place": e["place"] or e["device"], "entered": "yes", "flow": e["flow"],
               "what": f"tokens used from {'somewhere ' if e['cause'] == 'after their end' else ''}{e['cause']}"}
              for e in theft]
    found += [{"first": e["at"], "last": e["at"], "rule": "lockout", "names": [e["user"]], "place": e["place"],
               "entered": "no", "what": "the account was locked", "flow": e["flow"]} for e in locked]
    found.sort(key=lambda e: (e["first"], e["rule"]))
    accounts = collections.defaultdict(list)
    for e in found:
        for name in e["names"]:
            accounts[name].append(e)
    rows = [{"user": u, "entered": "yes" if any(e["entered"] == "yes" for e in own) else "no",
             "rules": ", ".join(sorted({e["rule"] for e in own})), "findings": len(own), "first": own[0]["first"],
             "last": max(e["last"] for e in own)} for u, own in accounts.items()]
    rows.sort(key=lambda r: (r["entered"] == "no", -len(r["rules"].split(", ")), -r["findings"], r["user"]))
    since = {}
    for user in accounts:
        times = [entry(e, user, flows) for e in accounts[user] if e["entered"] == "yes"]
        if times:
            since[user] = min(times)
    changed = [{"at": time_text(at), "user": f.user.lower(), "change": kind, "factor": factor, "place": f.place,
                "since": since[f.user.lower()], "flow": f.stream} for f in flows if f.user and f.user.lower() in since
               for kind, factor, at in f.changes if time_text(at) >= since[f.user.lower()]]
    return {"rules": counted(collections.Counter(e["rule"] for e in found), "rule"), "accounts": rows,
            "changed": sorted(changed, key=lambda r: r["at"]),
            "findings": [{**{k: v for k, v in e.items() if k not in ("names", "at")}, "users": ", ".join(e["names"]) or None}
                         for e in found]}


def funnel(flows):
    kinds = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, collections.Counter()]))
    for f in flows:
        end = f.status or "none"
        for status in set(f.path) or {end}:
            kinds[f.kind][status][0] += 1
        kinds[f.kind][end][1] += 1
        kinds[f.kind][end][2][f.outcome] += 1
    return {kind: [{"status": s, "reached": r, "ended": e, "endedPercent": percent(e, r), "outcomes": words(o)}
                   for s, (r, e, o) in sorted(steps.items(), key=lambda i: (-i[1][0], i[0]))]
            for kind, steps in kinds.items()}


def sign_ins(flows):
    return {"signIns": [{"at": time_text(f.started), "user": f.user, "purpose": f.purpose, "kind": f.kind,
                         "place": f.place, "device": f.hardware, "client": f.app or f.agent, "factors": f.factors, "outcome": f.outcome,
                         "reason": f.reason, "durationMs": f.took, "flow": f.stream} for f in flows]}


def person(flows, name):
    def used(f):
        return {data.get("id") or f.stream.split("/", 1)[1] for _, _, _, data in f.tokens}
    mine = [f for f in flows if name.lower() in {(f.typed or "").lower(), (f.login or "").lower()}]
    ids = set().union(*map(used, mine))
    # A renewal names no one.
    further = [f for f in flows if f.user is None and used(f) & ids]
    mine = sorted(mine + further, key=lambda f: f.started) if further else mine
    names = collections.Counter(n for f in mine for n in {n.lower() for n in (f.typed, f.login) if n is not None})
    seen = {"place": collections.defaultdict(list), "device": collections.defaultdict(list)}
    for f in mine:
        for kind, value in (("place", f.place), ("device", f.hardware)):
            if value:
                seen[kind][value].append(f.started)

    def table(kind):
        return [{kind: p, "count": len(t), "first": time_text(min(t)), "last": time_text(max(t))}
                for p, t in sorted(seen[kind].items(), key=lambda i: (-len(i[1]), i[0]))]
    return {
        "names": counted(names, "name"),
        "flows": [{"at": time_text(f.started), "kind": f.kind, "purpose": f.purpose, "place": f.place,
                   "device": f.hardware, "client": f.app or f.agent, "outcome": f.outcome, "reason": f.reason, "events": f.events,
                   "flow": f.stream} for f in mine],
        "attempts": [{"at": time_text(t["began"]), "factor": t["factor"],
                      "result": "verified" if verified(t) else t["failure"] or "open",
                      "ms": None if t["ended"] is None else (t["ended"] - t["began"]) // 1000, "flow": f.stream}
                     for f in mine for t in f.tries],
        "changes": [{"at": time_text(at), "change": k, "factor": x, "flow": f.stream} for f in mine for k, x, at in f.changes],
        "places": table("place"), "devices": table("device"),
        "tokens": [{"id": i, "status": standing(e), "began": time_text(e[0][0]), "expires": expires(e)}
                   for i, e in lives(mine)]}


def figures(flows):
    mine = [f for f in flows if f.is_sign_in]
    outcomes = collections.Counter(f.outcome for f in mine)
    reasons = sum((f.setbacks for f in mine), collections.Counter())
    times = [f.took for f in mine if f.ended]
    reason_names = ["wrongPassword", "wrongCode", "rejected", "timedOut", "locked", "expired", "rateLimited", "network",
                    "org", "client", "abandoned"]
    return [("flows", len(flows)), ("sign-ins", sum(f.is_plain for f in mine)),
            ("recoveries", sum(not f.is_plain for f in mine)), ("users", len({f.user.lower() for f in mine if f.user})),
            ("succeeded", outcomes["success"]), ("failed", outcomes["failed"]), ("locked out", outcomes["lockedOut"]),
            ("abandoned", outcomes["abandoned"])] + [("setbacks: " + r, reasons[r]) for r in reason_names] + [
        ("pushes", sum(t["factor"] == "push" for f in mine for t in f.tries)), ("requests", sum(f.requests for f in flows)),
        ("rate limits", sum(x[1] == 429 for f in flows for x in f.exchanges)),
        ("requests without an answer", sum(x[2] is not None for f in flows for x in f.exchanges)),
        ("duration p50, ms", percentile(50, times) or 0), ("duration p95, ms", percentile(95, times) or 0)]


def compare(flows, report):
    start, end = micros(report["since"]), micros(report["until"])
    length = end - start + ((end - start + 1) % 1_000_000 == 0)
    before = figures([f for f in flows if start - length <= f.started < start])
    now = figures([f for f in flows if start <= f.started <= end])
    return {"figures": [{"figure": n, "before": b, "now": v, "change": v - b, "nowPercent": percent(v, b)}
                        for (n, b), (_, v) in zip(before, now)]}


def summary(flows):
    def names(values):
        return dict(sorted(collections.Counter(values).items(), key=lambda i: (-i[1], i[0])))
    times = [f.took for f in flows if f.ended]
    errors = sum((f.errors for f in flows), collections.Counter())
    return {
        "since": None, "until": None, "first": time_text(min(f.started for f in flows)),
        "last": time_text(max(f.started for f in flows)), "flows": len(flows),
        "signIns": sum(f.is_plain for f in flows), "recoveries": sum(f.is_sign_in and not f.is_plain for f in flows),
        "filter": {}, "outcomes": names(f.outcome for f in flows),
        "statuses": names("SUCCESS" if f.status == "success" else f.status or "none" for f in flows),
        "users": names((f.user or "unknown").lower() for f in flows),
        "factors": names(n for f in flows for n in f.factors.split(", ") if n),
        "errors": names(errors.elements()), "reasons": names(f.reason for f in flows if f.reason),
        "requests": sum(f.requests for f in flows),
        "failedRequests": sum(x[2] is not None for f in flows for x in f.exchanges),
        "rateLimited": sum(x[1] == 429 for f in flows for x in f.exchanges),
        "durationMs": {"p50": percentile(50, times), "p95": percentile(95, times)}, "gaps": 0, "lostEvents": 0}


def own(records, types):
    return [{"at": time_text(micros(r["at"])), "event": r["type"], "position": r["n"], "details": ", ".join(
        f"{k} {v if isinstance(v, str) else json.dumps(v, separators=(',', ':'))}" for k, v in r["data"].items())}
        for r in records if r["stream"] == "log" and r["type"] in types]


def recorder(records):
    """When the recorder ran, and when it did not."""
    runs, outages, run = [], [], None
    for record in records:
        kind, at = record["type"], micros(record["at"])
        if record["stream"] != "log" and run:
            run["record"] = at
            run["signs"].append(at)
        if record["stream"] != "log" or not kind.startswith("recorder."):
            continue
        if kind == "recorder.started":
            if run:
                runs.append(dict(run, end="died", last=max(run["last"], run["record"])))
            if runs and at - runs[-1]["last"] >= 1000:
                before = runs[-1]
                outages.append((before["last"], at, before["end"]))
            run = {"started": at, "last": at, "record": at, "beat": record["data"].get("heartbeat"),
                   "version": record["data"]["sdk"], "signs": []}
            continue
        if run["beat"] and (at - run["last"]) // 1000 > 2 * run["beat"]:
            # A flow's record is a sign of life, too.
            signs = [run["last"], *run["signs"], at]
            outages += [(a, b, "silent") for a, b in zip(signs, signs[1:]) if (b - a) // 1000 > 2 * run["beat"]]
        run["last"], run["signs"] = max(run["last"], at), []
        if kind == "recorder.stopped":
            runs.append(dict(run, end="stopped"))
            run = None
    if run:
        runs.append(dict(run, end="open", last=max(run["last"], run["record"])))
    return {
        "runs": [{"started": time_text(r["started"]), "last": time_text(r["last"]), "end": r["end"],
                  "heartbeatMilliseconds": r["beat"], "version": r["version"]} for r in runs],
        "outages": [{"from": time_text(a), "to": time_text(b), "milliseconds": (b - a) // 1000, "why": why}
                    for a, b, why in outages]}


def main(cat, folder):
    records = [json.loads(line) for line in open(cat)]
    flows = {}
    for record in records:
        if record["stream"] != "log":
            flows.setdefault(record["stream"], Flow(record)).take(record)
    flows = list(flows.values())
    mine = [f for f in flows if f.is_sign_in]

    def given(name):
        return json.load(open(f"{folder}/{name}.json"))
    bursts = windows(mine, 600, 20, 1.5, 70)
    slow = windows(mine, 3600, 10, 3, 80, bursts)
    totals = collections.Counter(
        r["type"] for r in records if r["stream"] == "log" and r["type"] in ("log.recovered", "log.gap", "clock.stepped"))
    stores = given("integrity")["tables"]["stores"]
    quiet = given("people")["until"]
    expected = {
        "days": days(mine),
        "detections": detections(push(mine)["fatigue"], slow, bursts, guessing(mine)["episodes"], thefts(flows)["findings"],
                                 lockouts(mine, flows)["lockouts"], flows),
        "sign-ins": sign_ins(mine), "failures": failures(mine), "factors": factors([f for f in flows if f.is_sign_in or f.purpose == "enrollment"]),
        "enrollments": enrollments(flows), "overlaps": overlaps(mine), "shared": shared(flows), "push": push(mine),
        "spray": {"episodes": slow}, "stuffing": {"episodes": bursts}, "guessing": guessing(mine),
        "theft": thefts(flows), "lockouts": lockouts(mine, flows),
        "recovery": recovery(flows), "sessions": sessions(flows), "tokens": tokens(flows), "devices": devices(flows),
        "latency": latency(flows), "http": http(flows), "clients": clients(flows),
        "people": people(mine, min(NOW, micros(quiet)) if quiet else NOW), "places": places(mine), "hours": hours(mine), "funnel": funnel(flows),
        "admin": {"events": own(records, {"log.opened", "log.rekeyed", "log.restored", "log.pruned"})},
        "integrity": {"stores": [dict(stores[0], records=len(records))], "totals": counted(totals, "event"), **recorder(records),
                      "events": own(records, {"log.recovered", "log.gap", "clock.stepped"})},
        "compare": compare(flows, given("compare")),
        "user": person(flows, given("user")["tables"]["names"][0]["name"])}
    wrong = checked = 0
    for name, tables in expected.items():
        report = given(name)["tables"]
        for key in sorted(set(tables) | set(report)):
            rows, truth = report.get(key), tables.get(key)
            checked += sum(len(r) for r in truth or [])
            if rows != truth:
                wrong += 1
                print(f"{name}.{key}: {len(rows or [])} rows, {len(truth or [])} expected")
                pairs = [(a, b) for a, b in zip(rows or [], truth or []) if a != b]
                for a, b in pairs[:2]:
                    print("  report  ", {k: v for k, v in a.items() if b.get(k) != v})
                    print("  expected", {k: v for k, v in b.items() if a.get(k) != v})
    truth, report = summary(flows), given("summary")
    for key, value in truth.items():
        checked += len(value) if isinstance(value, dict) else 1
        if report[key] != value or (isinstance(value, dict) and list(report[key]) != list(value)):
            wrong += 1
            print(f"summary.{key}: {str(report[key])[:300]}, expected {str(value)[:300]}")
    print(f"{checked} figures of {len(expected) + 1} reports, {wrong} tables differ")
    return 1 if wrong else 0


class More:
    """Flows of what a made-up company has not, in the fewest events that reports look at."""

    def __init__(self):
        self.n, self.count, self.at = 0, 0, micros("2026-02-03T10:00:00.000000Z")

    def add(self, stream, kind, data, after=0, cause=None):
        self.at += after * 1000
        line = {"n": self.n, "at": time_text(self.at), "stream": stream, "type": kind, "data": data}
        print(json.dumps(line if cause is None else {**line, "cause": cause}, separators=(",", ":")))
        self.n += 1
        return self.n - 1

    def flow(self, kind, address, device, *events):
        self.count += 1
        stream = f"{kind}/more{self.count:03}"
        context = {"app": {"name": "Portal", "version": "4.3"}, "client": {"address": address}, "device": device}
        self.add(stream, "flow.started", {"kind": kind, "sdk": "More/1", "settings": {}, "context": context}, 1000)
        last = None
        for name, data, *after in events:
            cause = last if name == "response.received" else None
            last = self.add(stream, name, data, *after, cause=cause)

    def everything(self, login):
        def call(which, **given):
            return "call.made", {"call": which, "arguments": given}

        def status(name, before=None, **summary):
            data = {"status": name, "summary": summary}
            return "status.changed", {**data, "previous": before} if before else data, 400
        signs = call("authenticate", username=login, password="$secret.password.1$")
        end = ("flow.ended", {"outcome": "success"})
        offered = [{"type": "push", "provider": "OKTA"}, {"type": "token:software:totp", "provider": "OKTA"}]
        enrolls = [signs, status("MFA_ENROLL", user=login, factors=offered), call("enrollFactor", factor=1),
                   status("MFA_ENROLL_ACTIVATE", "MFA_ENROLL", factors=offered[1:]), call("verifyFactor"),
                   status("SUCCESS", "MFA_ENROLL_ACTIVATE", user=login, sessionToken="$secret.sessionToken.1$"), end]
        self.flow("authn", "198.51.100.250", "more-1", *enrolls)
        # Within a minute, from elsewhere: the same factor again.
        self.flow("authn", "203.0.113.250", "more-2", *enrolls)
        # An hour later from there again, and a push that is approved at once.
        self.at += 3_600_000_000
        self.flow("authn", "203.0.113.250", "more-2", signs, status("MFA_CHALLENGE", user=login, factors=offered[:1]),
                  ("status.changed", {"status": "SUCCESS", "previous": "MFA_CHALLENGE", "summary": {}}, 1500), end)

        def page(chosen, offered, **summary):
            return "remediation.changed", {"chosen": chosen, "offered": offered, "summary": summary}, 300
        name = {"name": "identifier", "value": "zoe@acme.example"}
        # A flow that is kept, and begun again four hours later, right before one from elsewhere.
        once = [call("proceed", name="identify", fields=[name]), page("identify", [], success=True), end]
        self.flow("idx", "198.51.100.250", "more-1", call("start"), *once, (*call("reset"), 60_000),
                  (*call("start"), 14_400_000), *once)
        self.flow("idx", "198.51.100.251", "more-2", call("proceed", name="identify", fields=[name]),
                  page("identify", ["select-authenticator-enroll"], user="zoe@acme.example"),
                  page("select-authenticator-enroll", ["enroll-authenticator"], current="webauthn"),
                  page("enroll-authenticator", [], success=True), end)
        for user in (login, "zoe@acme.example"):
            self.flow("device", "198.51.100.251", "more-3", call("enroll"),
                      ("enrollment.completed", {"userName": user}), end)
            at = {"transactionId": "ft-" + user}
            self.flow("device", "198.51.100.251", "more-3", call("receive", source="push"),
                      ("challenge.parsed", {**at, "userName": user}), ("consent.given", {**at, "answer": "approved"}),
                      ("response.signed", {**at, "keyType": "proofOfPossession", "kid": "key-of-both"}),
                      ("challenge.resolved", {**at, "outcome": "approved"}), ("flow.ended", {"outcome": "approved"}))
        self.flow("device", "198.51.100.251", "more-3", call("delete"), ("enrollment.deleted", {}), end)
        self.flow("authn", "198.51.100.250", "more-1", signs,
                  ("request.sent", {"method": "POST", "url": "https://acme.example/api/v1/authn", "headers": []}),
                  ("response.received", {"status": 503, "headers": []}, 80),
                  ("call.returned", {"call": 1, "outcome": "error", "error": "serverRespondedWithError",
                                     "details": {"httpStatus": 503}}), ("flow.ended", {"outcome": "failed"}))
        # Tokens that are renewed, revoked after the clock was put back, and renewed once more.
        known = {"id": "put-back"}
        self.flow("oidc", "198.51.100.250", "more-1", call("renew"),
                  ("token.refreshed", {**known, "expiresIn": 3600, "scope": "openid"}), end)
        self.at -= 3_600_000_000
        self.flow("oidc", "198.51.100.250", "more-1", call("revoke"), ("token.revoked", {**known, "hint": "refresh_token"}),
                  end)
        self.flow("oidc", "198.51.100.250", "more-1", call("renew"),
                  ("token.refused", {**known, "operation": "renew", "error": "errorFetchingFreshTokens"}),
                  ("flow.ended", {"outcome": "failed"}))
        self.at += 3_600_000_000
        # A flow that finds an account locked, and unlocks it.
        self.flow("authn", "198.51.100.250", "more-1", call("authenticate", username="kai@acme.example", password="$secret.password.1$"),
                  status("LOCKED_OUT"), ("flow.ended", {"outcome": "lockedOut"}),
                  (*call("unlockAccount", username="kai@acme.example", factorType="EMAIL"), 60_000),
                  status("SUCCESS", user="kai@acme.example"), end)
        # Wrong passwords from two addresses, a lockout, and a success after it; then wrong ones that lie days apart.
        tries = call("authenticate", username="gil@acme.example", password="$secret.password.1$")
        wrong = ("call.returned", {"call": 1, "outcome": "error", "error": "serverRespondedWithError",
                                   "details": {"errorCode": "E0000004", "httpStatus": 401}}, 2000)
        failed = ("flow.ended", {"outcome": "failed"})
        for address in ("203.0.113.251", "203.0.113.252"):
            self.flow("authn", address, "more-5", *[tries, wrong] * 5, failed)
        self.flow("authn", "203.0.113.251", "more-5", tries, status("LOCKED_OUT"), ("flow.ended", {"outcome": "lockedOut"}))
        self.flow("authn", "198.51.100.252", "more-4", tries, status("SUCCESS", user="gil@acme.example"), end)
        # The same person in another spelling.
        tries = call("authenticate", username="Gil@acme.example", password="$secret.password.1$")
        for _ in range(9):
            self.at += 86_400_000_000
            self.flow("authn", "198.51.100.252", "more-4", tries, wrong, failed)


if __name__ == "__main__":
    if sys.argv[1] == "--more":
        sys.exit(More().everything(sys.argv[2]))
    sys.exit(main(sys.argv[1], sys.argv[2]))
