"""Looks at the pages of `auditctl serve` and at the file of `auditctl report --html` in a real browser, and at the same on paper:
axe finds nothing serious, nothing is wider than the window, no short word is broken, all that can be used can be reached by the
keyboard, and nothing moves. The stores are a company's, one with texts that would break a page, and a damaged one.

Usage: check.py AUDITCTL CHROMIUM AXE FOLDER [PICTURES]. Run by scripts/test-pages.sh. With PICTURES, a folder, each view is kept
there as a picture, wide and narrow, light and dark.
"""

import contextlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from browser import Browser

auditctl, chromium, axe_file, folder = sys.argv[1:5]
pictures = Path(sys.argv[5]) if len(sys.argv) > 5 else None
axe = Path(axe_file).read_text()
WIDTHS = [1280, 390]
# The paper that most printers have, without its margins, at 96 pixels an inch.
PAPER = 718
failures: list[str] = []
counts: dict[str, int] = {}


def expect(found: bool, sentence: str) -> None:
    if not found:
        print("FAIL  " + sentence, flush=True)
        failures.append(sentence)


def run(*arguments: str, lines: list[dict] | None = None) -> str:
    given = "".join(json.dumps(line) + "\n" for line in lines or [])
    return subprocess.run([auditctl, *arguments], input=given, stdout=subprocess.PIPE, check=True, text=True).stdout


@contextlib.contextmanager
def served(browser: Browser, store: str):
    """Serves a store while its pages are looked at, and gives the address that they begin with."""
    server = subprocess.Popen([auditctl, "serve", "--store", store], stdout=subprocess.PIPE, text=True)
    try:
        link = server.stdout.readline().strip()
        browser.visit(link)
        browser.wait("location.pathname === '/' && document.readyState === 'complete'")
        yield link.split("/open")[0]
    finally:
        server.terminate()
        server.wait()


# What can be focused, and is to be.
FOCUSABLE = """[...document.querySelectorAll('a[href], button, input:not([type=hidden]), summary, [tabindex="0"]')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }))"""

# What is wider than the window, and in nothing that scrolls.
TOO_WIDE = """(() => {
  const wide = [];
  const scrolls = (e) => e && (['auto', 'scroll', 'hidden'].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  for (const e of document.body.querySelectorAll('*')) {
    const box = e.getBoundingClientRect();
    if (box.width > 0 && box.height > 0 && box.right > innerWidth + 1 && !scrolls(e.parentElement) && !scrolls(e))
      wide.push(e.tagName + '.' + e.getAttribute('class') + ' ' + Math.round(box.right));
  }
  return document.documentElement.scrollWidth > innerWidth ? ['page ' + document.documentElement.scrollWidth, ...wide] : wide;
})()"""

# A table that has to be slid sideways in a wide window.
SLID = """[...document.querySelectorAll('.wide')].filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
  .map((e) => e.getAttribute('aria-label') + ' ' + e.scrollWidth)"""

# Short words in tables that do not stand on one line. In a narrow window, where rows are blocks, one may end at a hyphen.
BROKEN = """(() => {
  const broken = new Set();
  const range = document.createRange();
  for (const table of document.querySelectorAll('table')) {
    if (!table.checkVisibility()) continue;
    const isHeadShown = getComputedStyle(table.tHead).position !== 'absolute';
    const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (!isHeadShown && text.parentElement.closest('thead')) continue;
      for (const word of text.data.matchAll(/(?<!\\S)[!-~]{2,15}(?!\\S)/g)) {
        if (!isHeadShown && word[0].includes('-')) continue;
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.add(word[0]);
      }
    }
  }
  return [...broken].slice(0, 5);
})()"""

# What a person uses, and a paper does not show.
CONTROLS = """[...document.querySelectorAll('header nav, input, button')].filter((e) => e.checkVisibility()).map((e) => e.tagName)"""

MOVING = """[...document.querySelectorAll('*')].filter((e) => {
  const s = getComputedStyle(e);
  return s.animationName !== 'none' || s.transitionDuration !== '0s' || s.scrollBehavior === 'smooth';
}).map((e) => e.tagName)"""

AXE = """axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.map((v) => ({
  id: v.id, impact: v.impact, help: v.help,
  nodes: v.nodes.slice(0, 3).map((n) => n.target.join(' ') + ' ' + (n.any.concat(n.all, n.none)[0]?.message || '')) , count: v.nodes.length })))"""


def none_of(browser: Browser, script: str, sentence: str) -> None:
    found = browser.run(script)
    expect(found == [], f"{sentence}: {found}")


def look(browser: Browser, name: str) -> None:
    """Everything that is to hold of the page that is shown."""
    for width in WIDTHS:
        for is_dark in [False, True]:
            where = f"{name}, {width} px, {'dark' if is_dark else 'light'}"
            browser.look(width, is_dark)
            # Where things stand is the same in light and dark.
            if not is_dark:
                none_of(browser, TOO_WIDE, f"{where}: nothing is cut")
                none_of(browser, BROKEN, f"{where}: no short word is broken")
                if width == WIDTHS[0]:
                    none_of(browser, SLID, f"{where}: tables fit")
            if not browser.run("typeof axe === 'object'"):
                browser.run(axe + "; 0")
            # Colors are the same at any width.
            for found in [] if is_dark and width != WIDTHS[0] else browser.run(AXE):
                counts[found["impact"]] = counts.get(found["impact"], 0) + found["count"]
                text = f"{where}: axe {found['impact']} {found['id']} ({found['count']}): {found['help']}: {found['nodes']}"
                expect(found["impact"] not in ("serious", "critical"), text)
                if found["impact"] not in ("serious", "critical"):
                    print("      " + text, flush=True)
            if pictures:
                kind = "dark" if is_dark else "light"
                browser.picture(str(pictures / f"{name.replace(' ', '-')}-{width}-{kind}.png"))
    browser.look(WIDTHS[0], False, is_still=True)
    none_of(browser, MOVING, f"{name}: nothing moves")
    browser.look(PAPER, True, is_paper=True)
    none_of(browser, CONTROLS, f"{name}, printed: nothing is there to be used")
    none_of(browser, BROKEN, f"{name}, printed: no short word is broken")
    ground = browser.run("getComputedStyle(document.body).backgroundColor")
    expect(ground in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"), f"{name}, printed: the paper stays white, and not {ground}")
    browser.look(WIDTHS[0], False)


def tab_through(browser: Browser, name: str) -> None:
    """Tab reaches all that can be used, in its order, and each shows that it has the focus."""
    browser.look(WIDTHS[0], False)
    count = browser.run(FOCUSABLE + ".length")
    browser.run("window.seen = [" + FOCUSABLE + "[0]]; seen[0].focus()")
    for _ in range(min(count, 60) - 1):
        browser.press("Tab")
        browser.run("seen.push(document.activeElement)")
    reached = browser.run(
        "(() => { const all = " + FOCUSABLE + f".slice(0, {min(count, 60)});"
        "return all.filter((e) => !seen.includes(e)).map((e) => e.outerHTML.slice(0, 80)) })()")
    expect(reached == [], f"{name}: the keyboard reaches all: {reached}")
    dull = browser.run(
        "seen.filter((e) => { e.focus({ focusVisible: true }); return getComputedStyle(e).outlineStyle === 'none' })"
        ".map((e) => e.outerHTML.slice(0, 80))")
    expect(dull == [], f"{name}: the focus is seen: {dull}")
    first = browser.run("seen[0] && seen[0].className")
    expect(first == "skip", f"{name}: the first is the link to the content, not {first}")


def slide(browser: Browser, name: str, slider: str, text: str) -> None:
    """The arrow keys show another state."""
    before = browser.run(text)
    browser.run(f"{slider}.focus()")
    for _ in range(12):
        browser.press("ArrowLeft")
    browser.wait(f"{text} !== {json.dumps(before)}")
    expect(browser.run(text) != before, f"{name}: the slider shows another state")


store = f"{folder}/company"
run("simulate", "--company", "--seed", "7", "--flows", "600", "--store", store)
run("checkpoint", "--store", store, "--signing-key", f"{folder}/company.key")
run("report", "--html", "--store", store, "--flows", "20", "-o", f"{folder}/company.html")
push = json.loads(run("report", "push", "--store", store, "--json"))["tables"]["fatigue"][0]
flow, user = push["flow"], push["user"]
reports = [r["name"] for r in json.loads(run("report", "--list", "--json"))["reports"] if r["name"] != "user"]
views = {
    "overview": "/", "flows": "/flows", "flows of a person": f"/flows?user={quote(user)}", "factors": "/factors",
    "detections": "/detections", "latency": "/latency", "integrity": "/integrity", "person": f"/person?user={quote(user)}",
    "flow": f"/flow?id={flow}",
}
served_only = {"verdict": "/integrity?check=all", "missing": "/nothing", "refused": "/flows?since=x"}
for report in reports:
    views[f"report {report}"] = f"/report?name={report}"

# Names that would break a page: markup, directions, a joined sign, one long word, no visible character.
names = [
    "<script>alert(1)</script>&\"'<img src=x onerror=alert(2)>@acme.example", "\u202egnp.exe\u2066 \u05e9\u05dc\u05d5\u05dd@acme.example",
    "\U0001f469\u200d\U0001f467 Zoe\u0301 " + "Z" + "\u0300" * 60, "x" * 20_000, "\u9577\u3044\u540d\u524d" * 500, "tab\there\nnext", "  ",
]
strange = f"{folder}/strange"
lines = []
for number, name in enumerate(names):
    started = {"kind": "authn", "sdk": "s", "settings": {"org": "https://acme.example"}, "context": {"device": name[:3_000], "instance": name[:3_000]}}
    for kind, data in [
        ("flow.started", started), ("call.made", {"call": "authenticate", "arguments": {"username": name}}),
        ("note.added", {"text": name}), ("flow.ended", {"outcome": "failed"}),
    ]:
        lines.append({"stream": f"authn/{number}", "type": kind, "at": f"2026-01-05T08:0{number}:00Z", "data": data})
lines.append({"stream": "app/<b>", "type": "note", "at": "2026-01-05T09:00:00Z", "data": {"text": "y" * 60_000}})
run("append", "--store", strange, lines=lines)
damaged = f"{folder}/damaged"
shutil.copytree(store, damaged)
segment = next(Path(damaged, "segments").iterdir())
content = bytearray(segment.read_bytes())
content[len(content) // 2] ^= 0xFF
segment.write_bytes(content)

browser = Browser(chromium)
try:
    # The checks find what is wrong.
    browser.visit("data:text/html,<html lang=en><title>x</title><body><img src=x><p style='width:2000px;color:%23eee'>pale words"
                  "<table style='width:1px'><thead><tbody><tr><td style='overflow-wrap:anywhere'>word</table>")
    browser.run(axe + "; 0")
    found = {f["id"] for f in browser.run(AXE)}
    expect({"image-alt", "color-contrast"} <= found and browser.run(TOO_WIDE) != [], f"a bad page is found out: {found}")
    expect(browser.run(BROKEN) == ["word"], "a broken word is found out")
    browser.complaints.clear()
    with served(browser, store) as root:
        for name, path in (views | served_only).items():
            browser.visit(root + path)
            look(browser, "serve " + name)
            if not name.startswith("report"):
                tab_through(browser, "serve " + name)
        browser.visit(root + views["flow"])
        slide(browser, "serve flow", "document.getElementById('at')", "document.getElementById('state').textContent")
        refused = [c for c in browser.complaints if "404" not in c and "400" not in c]
        expect(refused == [], f"serve: the browser refuses nothing: {refused}")

    with served(browser, damaged) as root:
        for name, path in {"overview": "/", "integrity": "/integrity", "verdict": "/integrity?check=all"}.items():
            browser.visit(root + path)
            look(browser, "damaged " + name)
        expect(browser.run("document.body.textContent.includes('altered')"), "damaged: the verdict is shown")

    with served(browser, strange) as root:
        paths = {"overview": "/", "flows": "/flows", "records": "/flow?id=app/%3Cb%3E"}
        paths |= {f"report {name}": f"/report?name={name}" for name in ["sign-ins", "failures", "clients", "people"]}
        paths |= {f"flow {number}": f"/flow?id=authn/{number}" for number in range(len(names))}
        paths |= {f"person {number}": f"/person?user={quote(name)}" for number, name in enumerate(names) if len(name) < 1_000}
        for name, path in paths.items():
            browser.visit(root + path)
            look(browser, "strange " + name)
        # Who follows the log, and writes, is not disturbed by what is new.
        browser.visit(root + "/flows")
        browser.run("document.getElementById('follow').click()")
        browser.wait("document.getElementById('news').textContent === 'Following.'")
        browser.run("document.querySelector('[name=user]').focus(); document.activeElement.value = 'ann'")
        run("append", "--store", strange, lines=[{"stream": "authn/new", "type": "flow.started", "data": {"kind": "authn", "sdk": "s"}}])
        browser.wait("document.getElementById('news').textContent === 'Up to date.'")
        shown = browser.run("[document.querySelector('tbody a').textContent, document.activeElement.name, document.activeElement.value]")
        expect(shown == ["new", "user", "ann"], f"follow: new flows come, and what is written stays: {shown}")

    browser.complaints.clear()
    browser.visit(f"file://{folder}/company.html")
    for name, path in views.items():
        if name == "flows of a person" or name.startswith("report "):
            continue  # the form is tried below; the tables of reports are those of serve
        browser.run(f"location.hash = {json.dumps('#' + path.replace('@', '%40'))}")
        browser.wait(f"document.querySelector('section.view:not([hidden])').id === {json.dumps(path.replace('@', '%40'))}")
        look(browser, "file " + name)
        tab_through(browser, "file " + name)
    section = "document.querySelector('section.view:not([hidden])')"
    browser.run(f"location.hash = {json.dumps('#' + views['flow'])}")
    browser.wait(f"{section}.id === {json.dumps(views['flow'])}")
    slide(browser, "file flow", f"{section}.querySelector('input')",
          f"{section}.querySelector('.states pre:not([hidden])').textContent")
    browser.run("location.hash = '#/flows'")
    browser.wait(f"{section}.id === '/flows'")
    browser.run("document.querySelector('#find [name=user]').value = " + json.dumps(user.upper())
                + "; document.getElementById('find').dispatchEvent(new Event('input'))")
    shown = browser.run(f"[...{section}.querySelectorAll('tbody tr:not([hidden])')].map((r) => r.cells[2].textContent)")
    mine = [f for f in run("flows", "--store", store, "--user", user, "--json").splitlines() if f]
    expect(len(shown) == len(mine) and set(shown) == {user}, f"file: the form filters: {len(shown)} of {len(mine)}")
    for name in ["sign-ins", "user"]:
        Path(folder, f"{name}.html").write_text(run("report", name, "--store", store, "--user", user, "--format", "html"))
        browser.visit(f"file://{folder}/{name}.html")
        look(browser, "page of report " + name)
    expect(browser.complaints == [], f"file: the browser refuses nothing: {browser.complaints}")
finally:
    browser.close()

print(f"{len(views) + len(served_only)} views of serve and {len(views) - len(reports) - 1} of the file, in {len(WIDTHS)} widths, light and dark; "
      f"findings of axe by impact: {counts or 'none'}; {len(failures)} failures")
sys.exit(1 if failures else 0)
