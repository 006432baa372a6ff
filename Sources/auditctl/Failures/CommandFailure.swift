/// A failure that ends a command.
struct CommandFailure: Error {
  var status: ExitStatus
  /// One sentence: what, where, what to do next.
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

/// The reader of our output has closed it: there is nothing more to do, and nothing to say.
struct OutputClosed: Error {}
