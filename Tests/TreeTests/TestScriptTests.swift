import Foundation
import Testing

/// What `make test` prints: run with a `swift` that prints what a run of the tests did.
@Suite struct TestScriptTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  @Test("a line for each target, then one line of totals; what passes is hidden")
  func passing() throws {
    let run = try run([
      "ATests": (
        0, "✔ Test one() passed after 0.1 seconds.\n✔ Test run with 1 test in 1 suite passed after 0.1 seconds."
      ),
      "BTests": (0, "✔ Test run with 1,204 tests in 9 suites passed after 0.1 seconds."),
    ])
    #expect(run.code == 0)
    #expect(run.lines.filter { $0.hasPrefix("ATests ") }.map(words) == [["ATests", "1", "tests", "s", "ok"]])
    #expect(run.lines.filter { $0.hasPrefix("BTests ") }.map(words) == [["BTests", "1204", "tests", "s", "ok"]])
    #expect(run.lines.suffix(2) == ["1205 passed, 0 failed, 0 skipped", ""])
    #expect(!run.output.contains("one()"))
  }

  @Test("a failure is shown with the lines behind it, and makes the run fail")
  func failing() throws {
    let run = try run([
      "ATests": (
        1,
        """
        ✔ Test one() passed after 0.1 seconds.
        ✘ Test "two things" recorded an issue at a.swift:4:100: Expectation failed: 1 == 2
        ↳ a comment
          of two lines
        ◇ Test three() started.
        ✘ Test "two things" with 2 test cases failed after 0.1 seconds with 1 issue.
        ✘ Suite S failed after 0.1 seconds with 1 issue.
        ✘ Test run with 2 tests in 1 suite failed after 0.1 seconds with 1 issue.
        """
      )
    ])
    #expect(run.code != 0)
    let issue = #"✘ Test "two things" recorded an issue at a.swift:4:100: Expectation failed: 1 == 2"#
    #expect(run.output.contains("  \(issue)\n  ↳ a comment\n    of two lines\n"))
    #expect(run.output.contains("failed:\n  ATests: \"two things\"\n"))
    #expect(run.lines.suffix(2) == ["1 passed, 1 failed, 0 skipped", ""])
    #expect(!run.output.contains("three()"))
  }

  @Test("skipped tests are named before the totals")
  func skipped() throws {
    let run = try run([
      "ATests": (
        0,
        """
        ➜ Test traced() skipped: "strace is not here"
        ➜ Test "served" was cancelled after 0.1 seconds: "nginx is not here"
        ✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.
        """
      )
    ])
    #expect(run.code == 0)
    #expect(
      run.output.contains(
        "skipped:\n  ATests: traced(): \"strace is not here\"\n  ATests: \"served\": \"nginx is not here\"\n"))
    #expect(run.lines.suffix(2) == ["1 passed, 0 failed, 2 skipped", ""])
  }

  @Test("a test that was running when the process died has failed")
  func crash() throws {
    let run = try run([
      "ATests": (
        1,
        """
        ◇ Test one() started.
        ◇ Test "the other" started.
        ✔ Test "the other" passed after 0.1 seconds.
        a.swift:3: Fatal error: Index out of range
        error: Process 'x' exited with unexpected signal code 4
        """
      )
    ])
    #expect(run.code != 0)
    #expect(run.output.contains("Fatal error: Index out of range"))
    #expect(run.output.contains("  ATests: one() (had begun and did not end)\n"))
    #expect(run.lines.suffix(2) == ["1 passed, 1 failed, 0 skipped", ""])
  }

  @Test("a run without tests fails, and so does one that ends badly for no reason of a test")
  func nothingRan() throws {
    let none = try run(["ATests": (0, "✔ Test run with 0 tests in 0 suites passed after 0.1 seconds.")])
    #expect(none.code != 0)
    #expect(none.output.contains("  ATests: no test ran\n"))
    #expect(none.lines.suffix(2) == ["0 passed, 1 failed, 0 skipped", ""])
    let bad = try run(["ATests": (9, "✔ Test run with 1 test in 1 suite passed after 0.1 seconds.")])
    #expect(bad.code != 0)
    #expect(bad.output.contains("  ATests: no test failed, and yet the exit code is 9\n"))
  }

  @Test("no line is over 2,000 bytes; the place and the reason stay, and all of it is in the log")
  func longLines() throws {
    let line =
      "✘ Test f() recorded an issue with 1 argument x → \"\(String(repeating: "ü", count: 200_000))\" at a.swift:4:1: why"
    let run = try run(
      ["ATests": (1, "\(line)\n✘ Test run with 1 test in 0 suites failed after 0.1 seconds.")], keep: true)
    #expect(run.lines.allSatisfy { $0.utf8.count <= 2_000 })
    #expect(run.lines.contains { $0.hasPrefix("  ✘ Test f() ") && $0.hasSuffix(" at a.swift:4:1: why") })
    #expect(!run.output.contains("\u{FFFD}"))
    #expect(run.lines.contains { $0.hasPrefix("log holds \(line.utf8.count) bytes") })
  }

  /// Runs the script over targets whose runs print what is given and exit with the code beside it.
  private func run(_ targets: [String: (code: Int, output: String)], keep: Bool = false) throws -> Shell {
    let scratch = try Scratch()
    for name in ["test.sh", "progress.sh", "test-summary.awk"] {
      let text = try String(contentsOf: root.appendingPathComponent("scripts/\(name)"), encoding: .utf8)
      try scratch.write(text, to: "scripts/\(name)", mode: 0o755)
    }
    for (name, run) in targets {
      try scratch.write("", to: "Tests/\(name)/Test.swift")
      try scratch.write(run.output + "\n", to: "outputs/\(name)")
      try scratch.write("exit \(run.code)\n", to: "outputs/\(name).code")
    }
    let swift = """
      #!/bin/bash
      if [ "$1" = build ]; then exit 0; fi
      for target in outputs/*.code; do
        name=${target#outputs/}
        name=${name%.code}
        case $* in *"^$name"*) cat "outputs/$name"; . "$target" ;; esac
      done
      """
    try scratch.write(swift, to: "bin/swift", mode: 0o755)
    var command = "PATH=$PWD/bin:$PATH scripts/test.sh"
    if keep { command += "; echo log holds $(head -n 1 .build/test.log | tr -d '\\n' | wc -c) bytes" }
    return try Shell.run(command, in: scratch.url)
  }

  /// The words of a line, without the seconds, which are as the machine is.
  private func words(_ line: String) -> [String] {
    var words = line.split(separator: " ").map(String.init)
    if let unit = words.firstIndex(of: "s"), unit > 0, Int(words[unit - 1]) != nil { words.remove(at: unit - 1) }
    return words
  }
}
