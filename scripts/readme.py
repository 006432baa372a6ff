#!/usr/bin/env python3
"""Runs the commands of README.md and writes what they print into it, or checks that it stands there.

A fenced block without a language is a session: lines after `$ ` are typed, the others are printed. A comment before the
block, `<!-- shown: 1-19 -->`, says which lines of the output are shown, `|` between commands; everything, if there is
none. A line that goes on far to the right in the next one counts as one, wherever it is broken. All commands run one after another in one shell, in an empty directory that is also the home.

Usage: readme.py [--check] [--auditctl FILE] [--readme FILE]
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"(?:<!-- shown: (?P<shown>.*) -->\n\n?)?^```(?P<language>\w*)\n(?P<body>(?:.*\n)*?)```$", re.M)
# Output of sign-ins that run side by side comes in any order.
UNORDERED = ("auditctl demo", "auditctl flows", "lz4 -dc", "auditctl replay --store")


def continues(line):
    """True if a line is the rest of the one before, which did not fit."""
    return line.startswith(" " * 12)


class Step:
    """A command, its lines in README.md, and which lines of its output are shown there."""

    def __init__(self, line):
        self.typed = [line]
        self.printed = []
        self.shown = "all"
        self.output = []

    @property
    def command(self):
        return "\n".join([self.typed[0].removeprefix("$ ")] + self.typed[1:])

    @property
    def is_open(self):
        """True if the command goes on in the next line."""
        line = self.typed[-1].rstrip()
        quotes = self.command.count("'")
        return line.endswith(("\\", "|")) or quotes % 2 == 1

    def selected(self):
        """The lines to show, with `...` for what is left out."""
        if self.shown == "all":
            return list(self.output)
        whole = [[]]
        for line in self.output:
            if continues(line) and whole[-1]:
                whole[-1].append(line)
            else:
                whole.append([line])
        whole = whole[1:]
        lines, last = [], 0
        for part in self.shown.split(","):
            first, end = re.fullmatch(r"(-?\d+)-(\d*)", part.strip()).groups()
            begin = int(first) if int(first) > 0 else len(whole) + int(first) + 1
            end = int(end) if end else len(whole)
            if begin > last + 1:
                lines.append("...")
            for group in whole[begin - 1 : end]:
                lines += group
            last = end
        if last < len(whole):
            lines.append("...")
        return lines


def steps_of(match):
    steps = []
    for line in match["body"].splitlines():
        if line.startswith("$ "):
            steps.append(Step(line))
        elif steps and steps[-1].is_open and not steps[-1].printed:
            steps[-1].typed.append(line)
        elif steps:
            steps[-1].printed.append(line)
    if match["shown"]:
        for step, shown in zip(steps, match["shown"].split("|")):
            step.shown = shown.strip()
    return steps


def run(steps, auditctl):
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/bin")
        os.symlink(os.path.abspath(auditctl), f"{folder}/bin/auditctl")
        os.makedirs(f"{folder}/tour")
        script = []
        for number, step in enumerate(steps):
            script.append(f"{{ {step.command}\n}} >'{folder}/{number}' 2>&1")
        environment = {
            "HOME": folder, "PATH": f"{folder}/bin:" + os.environ["PATH"], "LANG": "C.UTF-8", "TMPDIR": folder,
            "SWIFT_BACKTRACE": "enable=no",
        }
        subprocess.run(
            ["bash", "-c", "\n".join(script)], cwd=f"{folder}/tour", env=environment, stdin=subprocess.DEVNULL, check=False)
        for number, step in enumerate(steps):
            with open(f"{folder}/{number}", encoding="utf-8") as file:
                step.output = file.read().splitlines()


def normal(lines):
    """Lines without what differs from run to run: ids, times, ports, hashes, the system's name, and where lines break."""
    joined = []
    for line in lines:
        if continues(line) and joined and joined[-1] != "...":
            joined[-1] += " " + line.strip()
        else:
            joined.append(line)
    result = []
    for line in joined:
        line = re.sub(r"\d{4}-\d\d-\d\d[T ](\d\d:\d\d:\d\d\.\d+Z|UTC)", "<time>", line)
        line = re.sub(r"\b(?=\w*[A-Z])0[0-9A-HJKMNP-TV-Z]{6,25}\b", "<id>", line)
        line = re.sub(r'"Date","[^"…]*', '"Date","<date>', line)
        line = re.sub(r"\b(00u|opf)\w{17}\b", "<id>", line)
        line = re.sub(r"\b[0-9a-f]{32}\b", "<id>", line)
        line = re.sub(r"\b\d\d:\d\d:\d\d +\d+\b", "<time>", line)
        line = re.sub(r"\+\d+\.\d{3}s", "<time>", line)
        line = re.sub(r"\b\d+(\.\d)? ms\b|\b\d+\.\d s\b", "<duration>", line)
        line = re.sub(r"127\.0\.0\.1:\d+", "<host>", line)
        line = re.sub(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=", "<hash>", line)
        line = re.sub(r"\w+/[\w.-]+ Device/\w+", "<system>", line)
        line = re.sub(r"\s+", "", line)
        result.append(line)
    return result


def differences(step):
    """What README.md shows of a step and the step does not print, and the other way round."""
    printed = normal(step.printed)
    if any(word in step.command for word in UNORDERED):
        rest = normal(step.output)
        missing = []
        for line in printed:
            if line in rest:
                rest.remove(line)
            elif line != "...":
                missing.append(f"shown, not printed: {line}")
        if step.shown == "all":
            missing += [f"printed, not shown: {line}" for line in rest]
        return missing
    now = normal(step.selected())
    if printed == now:
        return []
    return [f"shown:   {line}" for line in printed] + [f"printed: {line}" for line in now]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if the output differs")
    parser.add_argument("--auditctl", default=f"{ROOT}/.build/release/auditctl")
    parser.add_argument("--readme", default=f"{ROOT}/README.md")
    options = parser.parse_args()

    with open(options.readme, encoding="utf-8") as file:
        text = file.read()
    blocks = {match.start(): steps_of(match) for match in BLOCK.finditer(text) if not match["language"]}
    steps = [step for block in blocks.values() for step in block]
    run(steps, options.auditctl)

    if options.check:
        found = 0
        for step in steps:
            problems = differences(step)
            found += len(problems)
            if problems:
                print(f"$ {step.command}", *problems, sep="\n  ")
        print(f"{len(steps)} commands of README.md were run, {found} lines differ")
        sys.exit(1 if found or not steps else 0)

    def written(match):
        if match["language"]:
            return match[0]
        lines = [line for step in blocks[match.start()] for line in step.typed + step.selected()]
        head = match[0][: match[0].index("```")]
        return head + "```\n" + "\n".join(lines) + "\n```"

    with open(options.readme, "w", encoding="utf-8") as file:
        file.write(BLOCK.sub(written, text))


main()
