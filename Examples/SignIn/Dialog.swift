// Asks a person at a terminal. Secrets are not echoed; if stdin is no terminal, every answer is one line of it.

import Foundation

/// The terminal of this program.
@MainActor
struct Dialog {
  /// Says a line.
  func say(_ text: String) {
    print(text)
    fflush(nil)
  }

  /// Asks for a line; ends the program if there is no more input.
  func ask(_ question: String) -> String {
    print(question, terminator: ": ")
    fflush(nil)
    guard let line = readLine() else {
      say("")
      exit(130)
    }
    return line
  }

  /// Asks for a secret.
  func askSecret(_ question: String) -> String {
    guard isatty(STDIN_FILENO) == 1 else { return ask(question) }
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
      say("")
    }
    return ask(question)
  }

  /// Lets the person choose one of several; asks again until the answer is one of them.
  func choose(_ question: String, of options: [String]) -> Int {
    for (index, option) in options.enumerated() { say("  \(index + 1)  \(option)") }
    while true {
      if let number = Int(ask(question)), options.indices.contains(number - 1) { return number - 1 }
      say("please type a number from 1 to \(options.count)")
    }
  }
}
