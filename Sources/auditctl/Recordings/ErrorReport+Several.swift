// The end of a run over many recordings, some of which cannot be read.

import ArgumentParser

extension ErrorReport {
  /// The end of a run that continued past what failed: says each error on stderr but the last, and throws that.
  static func finish(_ errors: [any Error], of command: any ParsableCommand.Type) throws {
    for error in errors.dropLast() {
      if let message = ErrorReport(error, of: command).message { Messages.say("auditctl: \(message)") }
    }
    if let last = errors.last { throw last }
  }
}
