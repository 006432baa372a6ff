"""A headless Chromium, driven by the WebDriver protocol; the standard library is enough."""

import json
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """One browser with an empty profile."""

    def __init__(self, chromium: str, chromedriver: str) -> None:
        self.driver = subprocess.Popen([chromedriver, "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self.driver.stdout:
            if "successfully on port " in line:
                port = "".join(c for c in line.split("successfully on port ")[1] if c.isdigit())
                break
        else:
            raise RuntimeError("chromedriver did not start")
        self.base = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        capabilities = {
            "browserName": "chrome",
            "goog:chromeOptions": {"binary": chromium, "args": arguments},
            "timeouts": {"pageLoad": 30_000},
        }
        session = self._send("", {"capabilities": {"alwaysMatch": capabilities}})
        self.base += "/" + session["sessionId"]

    def _send(self, path: str, body: dict | None = None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def visit(self, url: str) -> None:
        self._send("/url", {"url": url})

    def find(self, path: str) -> str | None:
        """The first element at that XPath, now."""
        found = self._send("/elements", {"using": "xpath", "value": path})
        return found[0][ELEMENT] if found else None

    def type(self, path: str, text: str) -> None:
        element = self.find(path)
        self._send(f"/element/{element}/clear", {})
        self._send(f"/element/{element}/value", {"text": text})

    def click(self, path: str) -> None:
        self._send(f"/element/{self.find(path)}/click", {})

    @property
    def address(self) -> str:
        return self._send("/url")

    @property
    def text(self) -> str:
        return self._send(f"/element/{self.find('//body')}/text")

    def go(self, home: str, pages: list[tuple[str, callable]], seconds: float = 60) -> None:
        """Answers pages until the browser is at an address that begins with `home`.

        Each page is an XPath that is only on it, and what to do there.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.address.startswith(home):
                return
            for path, act in pages:
                if self.find(path):
                    act(self)
                    break
            else:
                time.sleep(0.1)
        raise RuntimeError(f"the browser is at {self.address.split('?')[0]}: {self.text[:300]}")

    def close(self) -> None:
        try:
            urllib.request.urlopen(urllib.request.Request(self.base, method="DELETE"), timeout=20)
        finally:
            self.driver.terminate()
            self.driver.wait()
