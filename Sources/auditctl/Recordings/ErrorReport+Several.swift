// The end of a run over many recordings, some of which cannot be read.

import ArgumentParser

extension ErrorReport {
  /// The end of a run that continued past what failed: says each error on stderr but the last, and throws that.
  static func finish(_ errors: [any Error], of command: any ParsableCommand.Type) throws {
    for message in messages(Array(errors.dropLast()), of: command) { Messages.say("auditctl: \(message)") }
    if let last = errors.last { throw last }
  }

  /// What is said of errors, for documents.
  static func messages(_ errors: [any Error], of command: any ParsableCommand.Type) -> [String] {
    errors.compactMap { ErrorReport($0, of: command).message }
  }
}
