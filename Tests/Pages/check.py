"""Looks at the pages of `auditctl serve` and at the file of `auditctl report --html` in a real browser: axe finds nothing
serious, nothing is wider than the window, all that can be used can be reached by the keyboard, and nothing moves.

Usage: check.py AUDITCTL CHROMIUM AXE FOLDER [PICTURES]. Run by scripts/test-pages.sh. With PICTURES, a folder, each view is kept
there as a picture, wide and narrow, light and dark.
"""

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from browser import Browser

auditctl, chromium, axe_file, folder = sys.argv[1:5]
pictures = Path(sys.argv[5]) if len(sys.argv) > 5 else None
axe = Path(axe_file).read_text()
WIDTHS = [1280, 390]
failures: list[str] = []
counts: dict[str, int] = {}


def expect(found: bool, sentence: str) -> None:
    if not found:
        print("FAIL  " + sentence, flush=True)
        failures.append(sentence)


def run(*arguments: str) -> str:
    return subprocess.run([auditctl, *arguments], stdout=subprocess.PIPE, check=True, text=True).stdout


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

MOVING = """[...document.querySelectorAll('*')].filter((e) => {
  const s = getComputedStyle(e);
  return s.animationName !== 'none' || s.transitionDuration !== '0s' || s.scrollBehavior === 'smooth';
}).map((e) => e.tagName)"""

AXE = """axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.map((v) => ({
  id: v.id, impact: v.impact, help: v.help,
  nodes: v.nodes.slice(0, 3).map((n) => n.target.join(' ') + ' ' + (n.any.concat(n.all, n.none)[0]?.message || '')) , count: v.nodes.length })))"""


def look(browser: Browser, name: str) -> None:
    """Everything that is to hold of the page that is shown."""
    for width in WIDTHS:
        for is_dark in [False, True]:
            where = f"{name}, {width} px, {'dark' if is_dark else 'light'}"
            browser.look(width, is_dark)
            expect(browser.run(TOO_WIDE) == [], f"{where}: nothing is cut: {browser.run(TOO_WIDE)}")
            if width == WIDTHS[0]:
                expect(browser.run(SLID) == [], f"{where}: tables fit: {browser.run(SLID)}")
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
    expect(browser.run(MOVING) == [], f"{name}: nothing moves: {browser.run(MOVING)}")


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
    "overview": "/", "flows": "/flows", "flows of a person": f"/flows?user={quote(user)}&since=x", "factors": "/factors",
    "detections": "/detections", "latency": "/latency", "integrity": "/integrity", "person": f"/person?user={quote(user)}",
    "flow": f"/flow?id={flow}",
}
served_only = {"verdict": "/integrity?check=all", "missing": "/nothing"}
for report in reports:
    views[f"report {report}"] = f"/report?name={report}"

server = subprocess.Popen([auditctl, "serve", "--store", store], stdout=subprocess.PIPE, text=True)
browser = None
try:
    link = server.stdout.readline().strip()
    browser = Browser(chromium)
    # The checks find what is wrong.
    browser.visit("data:text/html,<html lang=en><title>x</title><body><img src=x><p style='width:2000px;color:%23eee'>pale words")
    browser.run(axe + "; 0")
    found = {f["id"] for f in browser.run(AXE)}
    expect({"image-alt", "color-contrast"} <= found and browser.run(TOO_WIDE) != [], f"a bad page is found out: {found}")
    browser.complaints.clear()
    browser.visit(link)
    browser.wait("location.pathname === '/' && document.readyState === 'complete'")
    root = link.split("/open")[0]
    for name, path in (views | served_only).items():
        browser.visit(root + path)
        look(browser, "serve " + name)
        if not name.startswith("report"):
            tab_through(browser, "serve " + name)
    browser.visit(root + views["flow"])
    slide(browser, "serve flow", "document.getElementById('at')", "document.getElementById('state').textContent")
    refused = [c for c in browser.complaints if "404" not in c]
    expect(refused == [], f"serve: the browser refuses nothing: {refused}")

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
    expect(browser.complaints == [], f"file: the browser refuses nothing: {browser.complaints}")
finally:
    if browser:
        browser.close()
    server.terminate()
    server.wait()

print(f"{len(views) + len(served_only)} views of serve and {len(views) - len(reports) - 1} of the file, in {len(WIDTHS)} widths, light and dark; "
      f"findings of axe by impact: {counts or 'none'}; {len(failures)} failures")
sys.exit(1 if failures else 0)
