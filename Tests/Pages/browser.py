"""A headless Chromium, driven by the DevTools protocol over a pipe; the standard library is enough."""

import base64
import json
import os
import select
import subprocess
import tempfile
import time


class Browser:
    """One browser with an empty profile and one page."""

    def __init__(self, chromium: str) -> None:
        # Chromium reads commands from descriptor 3 and writes answers to descriptor 4.
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        self.profile = tempfile.TemporaryDirectory(prefix="pages-profile-", ignore_cleanup_errors=True)
        arguments = [
            chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--hide-scrollbars", "--disable-background-networking", "--disable-component-update",
            f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe", "about:blank",
        ]
        os.set_inheritable(commands, True)
        os.set_inheritable(answers, True)
        # The shell moves the two ends to where Chromium looks for them.
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec 3<&{commands} 4>&{answers}; exec "$@"', "sh", *arguments],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(commands, answers))
        os.close(commands)
        os.close(answers)
        self.buffer = b""
        self.number = 0
        self.session = None
        # What the page said on its console: refused styles and scripts among it.
        self.complaints: list[str] = []
        page = next(t for t in self.send("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.send(f"{domain}.enable")

    def receive(self, seconds: float) -> dict:
        limit = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], max(0, limit - time.monotonic()))
            piece = os.read(self.answers, 1 << 20) if ready else b""
            if not piece:
                raise RuntimeError("Chromium does not answer")
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def send(self, method: str, **parameters):
        """Sends a command and gives its answer; events that come before it are looked at."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            answer = self.receive(120)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def note(self, event: dict) -> None:
        kind, data = event.get("method"), event.get("params", {})
        if kind == "Log.entryAdded" and data["entry"]["level"] in ("error", "warning"):
            self.complaints.append(data["entry"]["text"])
        if kind == "Runtime.exceptionThrown":
            self.complaints.append(data["exceptionDetails"].get("text", "an exception"))

    def run(self, script: str):
        """The value of an expression, which may be a promise."""
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        for _ in range(600):
            if self.run(condition):
                return
            time.sleep(0.05)
        raise RuntimeError(f"this never came true: {condition}")

    def visit(self, url: str) -> None:
        answer = self.send("Page.navigate", url=url)
        if "errorText" in answer:
            raise RuntimeError(f"{url}: {answer['errorText']}")
        self.wait("document.readyState === 'complete'")

    def look(self, width: int, is_dark: bool, is_still: bool = False, is_paper: bool = False) -> None:
        """A window or a paper of that width, in light or dark, for a person who wants less motion or not."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", media="print" if is_paper else "", features=[
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if is_still else "no-preference"}])

    def picture(self, path: str, most: int = 6_000) -> None:
        """The whole page as PNG, at most so many pixels of it."""
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], most), "scale": 1}
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def press(self, key: str) -> None:
        codes = {"Tab": 9, "ArrowLeft": 37, "Enter": 13}
        for kind in ["rawKeyDown", "keyUp"]:
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key])
            if kind == "rawKeyDown" and key == "Enter":
                self.send("Input.dispatchKeyEvent", type="char", key=key, text="\r")

    def close(self) -> None:
        try:
            os.close(self.commands)
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()
