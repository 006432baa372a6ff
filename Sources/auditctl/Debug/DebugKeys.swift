// A debugging session at a terminal, with one key per action.

import AuditReports
import Foundation
import Glibc

/// Reads keys and draws the screen again after each.
struct DebugKeys {
  private var debugger: Debugger
  private let input = KeyInput()
  private var scroll = 0
  private var message = DebugKeys.hint
  private static let hint = "n/p step  r/R request  s/S status  / search  w why  i inspect  ? keys  q quit"

  init(_ debugger: Debugger) { self.debugger = debugger }

  /// Runs until the person quits.
  ///
  /// - Throws: exit 130 if a signal comes before.
  mutating func run() throws {
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else {
      throw CommandFailure(.usage, "the terminal cannot be read key by key; use --command")
    }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    Interruption.savedTerminal = before
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    // The next key is then the end of the input, so that the screen is left below.
    Interruption.atFirst {}
    // The alternate screen: what stood on the terminal comes back.
    let output = Output()
    try output.text("\u{1B}[?1049h")
    defer {
      try? output.text("\u{1B}[?1049l")
      try? output.flush()
      tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
      Interruption.savedTerminal = nil
    }
    while true {
      try draw(output)
      guard let key = input.key(), try press(key, output) else { break }
    }
    try Interruption.check()
  }

  /// How many rows the terminal has; 24 if it does not say.
  private var rows: Int {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0
    return isKnown ? Int(size.ws_row) : 24
  }

  private func draw(_ output: Output) throws {
    let screen = DebugScreen(columns: Terminal.width.columns, rows: rows - 1, style: Terminal.style)
    let lines = screen.lines(debugger, scroll: scroll, message: message)
    try output.text("\u{1B}[H\u{1B}[2J" + lines.joined(separator: "\r\n"))
    try output.flush()
  }

  /// - Returns: whether the session continues.
  private mutating func press(_ key: String, _ output: Output) throws -> Bool {
    message = Self.hint
    switch key {
    case "n", " ", "right": act(.step(1))
    case "p", "left": act(.back(1))
    case "r": act(.run(.request("")))
    case "R": act(.runBack(.request("")))
    case "s": act(.run(.anyStatus))
    case "S": act(.runBack(.anyStatus))
    case "j", "down": scroll += 1
    case "k", "up": scroll = max(0, scroll - 1)
    case "0": act(.start)
    case "e": act(.end)
    case "g": try ask("revision: ", output) { Int($0).map(DebugAction.go) }
    case "/": try ask("search: ", output) { $0.isEmpty ? nil : .run(.text($0)) }
    case "w": try page(ask("why (a member of the state): ", output), output) { .why($0) }
    case "i": try page("record", output) { _ in .printRecord }
    case "c": try page("changes", output) { _ in .changes }
    case "?": try show(DebugKeys.help, output)
    case "q": return false
    default: break
    }
    return true
  }

  private mutating func act(_ action: DebugAction) {
    scroll = 0
    let answer = debugger.perform(action)
    if !answer.isFound { message = answer.lines.first ?? "" }
  }

  private mutating func ask(_ question: String, _ output: Output, _ action: (String) -> DebugAction?) throws {
    if let action = action(try ask(question, output)) { act(action) }
  }

  private func ask(_ question: String, _ output: Output) throws -> String {
    try output.text("\r\n\u{1B}[2K\(question)")
    try output.flush()
    var text = ""
    while let key = input.key(), key != "\n", key != "\r" {
      if key == "\u{7F}" || key == "\u{8}" {
        text = String(text.dropLast())
      } else if key.count == 1, key >= " " {
        text += key
      }
      try output.text("\r\u{1B}[2K\(question)\(text.printable)")
      try output.flush()
    }
    return text
  }

  /// The keys, and the commands that a script has.
  static let help: [String] = {
    func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
    let keys = ["KEYS"] + lines(DebugAction.keys) + [""]
    return keys + ["COMMANDS of --command and of scripts"] + lines(DebugAction.summary)
  }()

  /// Shows an answer that needs more than a line, until a key comes.
  private mutating func page(_ subject: String, _ output: Output, _ action: (String) -> DebugAction) throws {
    try show(debugger.perform(action(subject)).lines, output)
  }

  /// Shows lines a screen at a time, until a key comes for each, or q.
  private func show(_ lines: [String], _ output: Output) throws {
    var rest = Self.wrapped(lines, width: LineWidth(Terminal.width.columns))[...]
    repeat {
      // An empty line and the prompt follow.
      let page = rest.prefix(max(1, rows - 2))
      rest = rest.dropFirst(page.count)
      let prompt = rest.isEmpty ? "press a key" : "press a key for more, q to leave"
      try output.text("\u{1B}[H\u{1B}[2J\(page.joined(separator: "\r\n"))\r\n\r\n\(prompt)")
      try output.flush()
      guard let key = input.key(), key != "q" else { return }
    } while !rest.isEmpty
  }

  /// Lines that fit; one that does stays as it is, its columns with it.
  static func wrapped(_ lines: [String], width: LineWidth) -> [String] {
    lines.flatMap { $0.columns <= width.columns ? [$0] : Paragraph.lines($0, width: width) }
  }
}
