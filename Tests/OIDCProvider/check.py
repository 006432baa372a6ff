"""Signs in and out at a provider that this project did not write, in a real browser, and looks at what was recorded.

Usage: check.py SAMPLE AUDITCTL FOLDER CHROMIUM CHROMEDRIVER. Run by scripts/test-provider.sh.
"""

import json
import socket
import subprocess
import sys
from pathlib import Path

from browser import Browser

sample, auditctl, folder, chromium, chromedriver = sys.argv[1:]
here = Path(__file__).parent


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def log_in(browser: Browser) -> None:
    browser.type("//input[@name = 'username']", "ann")
    browser.type("//input[@name = 'password']", "correct-horse")
    browser.click("//button")


PAGES = [
    ("//input[@name = 'password']", log_in),
    ("//input[@name = 'allow']", lambda browser: browser.click("//input[@name = 'allow']")),
]


def expect(found: bool, sentence: str) -> None:
    print(("ok    " if found else "FAIL  ") + sentence, flush=True)
    if not found:
        failures.append(sentence)


failures: list[str] = []
port = free_port()
provider = subprocess.Popen(
    [sys.executable, str(here / "provider.py"), folder, str(port)], stdout=subprocess.PIPE, text=True
)
browser = None
try:
    issuer = ""
    for line in provider.stdout:
        if line.startswith("ready "):
            issuer = line.split()[1]
            break
    expect(issuer != "", "the provider answers")
    browser = Browser(chromium, chromedriver)
    store, home = f"{folder}/audit", "http://127.0.0.1:8400/callback"
    program = subprocess.Popen([sample, issuer, store, "fixed", home], stdout=subprocess.PIPE, text=True)
    lines: list[str] = []
    for line in program.stdout:
        line = line.strip()
        if line.startswith("http"):
            browser.visit(line)
            browser.go(home, PAGES)
        else:
            lines.append(line)
            print("      " + line, flush=True)
    code = program.wait()
    expect("signed in" in lines, "a person signs in on the provider's own pages")
    expect("user: known" in lines, "the provider says who it is")
    expect("renewal: a new token" in lines, "a refresh token brings new tokens")
    # A provider without an endpoint, or one that wants a secret, is an error with a name, and no crash.
    expect(any(line.startswith("access token: ") for line in lines), "introspection has an outcome")
    expect(any(line.startswith("revocation: ") for line in lines), "revocation has an outcome")
    expect("signed out" in lines and code == 0, "the browser is signed out and comes back")
    browser.visit(f"{issuer}/authorized_tokens/")
    expect(browser.find("//input[@name = 'password']") is not None, "the browser's session is over")

    flows = subprocess.run([auditctl, "flows", "--store", store, "--json"], stdout=subprocess.PIPE).stdout
    outcomes = {json.loads(line)["status"] or "none" for line in flows.splitlines()}
    expect({"signedIn", "renewed"} <= outcomes, f"the log has the sign-in and the renewal: {sorted(outcomes)}")
    replay = subprocess.run([auditctl, "replay", "--store", store], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(replay.stdout.decode(), end="")
    expect(replay.returncode == 0, "every flow replays")
    written = subprocess.run([auditctl, "cat", "--store", store], stdout=subprocess.PIPE).stdout
    expect(b"correct-horse" not in written and b"eyJ" not in written, "no password and no token is in the log")
finally:
    if browser:
        browser.close()
    provider.terminate()
    provider.wait()

sys.exit(1 if failures else 0)
