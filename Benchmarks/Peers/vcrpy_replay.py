#!/usr/bin/env python3
"""The peer: vcrpy records and replays the same six requests.

    vcrpy_replay.py ORG LOGIN PASSWORD      prints rows in the form of FlowBenchmarks
    pip install vcrpy                       without it one line says that the peer is missing
"""
import json, os, sys, tempfile, time, urllib.request, urllib.error

try:
    import vcr
except ImportError:
    print("vcrpy (the peer) is not installed: pip install vcrpy")
    sys.exit(0)

org, login, password = sys.argv[1:4]


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {
        "Accept": "application/json", "Content-Type": "application/json", "User-Agent": "peer"})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


def sign_in():
    status = post(org + "/api/v1/authn", {"username": login, "password": password})
    token = {"stateToken": status["stateToken"]}
    links = {f["factorType"]: f["_links"]["verify"]["href"] for f in status["_embedded"]["factors"]}
    challenge = post(links["sms"], token)
    post(challenge["_links"]["next"]["href"], dict(token, passCode="nonsense"))
    post(challenge["_links"]["prev"]["href"], token)
    waiting = post(links["push"], token)
    last = post(waiting["_links"]["next"]["href"], token)
    assert last["status"] == "SUCCESS", last


def row(name, values, unit):
    values = sorted(values)
    figures = " ".join("%10.3f" % v for v in (values[0], values[len(values) // 2], values[-1]))
    print(name.ljust(44) + figures + "  " + unit)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "cassette.yaml")
    recorder = vcr.VCR(record_mode="once", match_on=["method", "uri"], ignore_localhost=False)
    with recorder.use_cassette(path):
        sign_in()
    row("vcrpy: bytes a sign-in (a cassette)", [os.path.getsize(path)], "bytes")
    rates = []
    for turn in range(6):
        start, count = time.process_time(), 0
        while time.process_time() - start < 0.5:
            with recorder.use_cassette(path):
                sign_in()
            count += 1
        if turn:
            rates.append(count / (time.process_time() - start))
    row("vcrpy: replays of that sign-in", rates, "a CPU second")
