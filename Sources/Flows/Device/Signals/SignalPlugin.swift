// Signals from elsewhere: an org asks for them by name, and the application says who answers (spec/device.md §10.2).

/// Answers challenges that ask for a signal by its name, in `integrations` or `signalProviders`.
///
/// It is asked once the person has answered, off the flow's own step, and no longer than the challenge lasts: then its task
/// is cancelled. Nothing that it does fails a challenge: the org gets its error in place of its signal. What it says stands
/// in the log as a placeholder.
public protocol SignalPlugin: Sendable {
  /// The name that challenges ask for.
  var name: String { get }
  /// Where the signal comes from, for the org.
  var source: SignalSource { get }
  /// Collects the signal now: a JSON text in UTF-8, of `SignalFile.limit` bytes at most.
  ///
  /// - Throws: `SignalError`, which the org gets.
  func collect() async throws(SignalError) -> [UInt8]
}

extension SignalPlugin {
  /// The application.
  public var source: SignalSource { .application }
}

/// Where a signal comes from, as `configuration.type` says it.
public enum SignalSource: String, Sendable, Hashable, CaseIterable {
  /// The application.
  case application = "DEFAULT"
  /// A file that another program keeps.
  case file = "FILE"
}

/// Why there is no signal. The org gets the text.
public struct SignalError: Error, Sendable, Hashable {
  /// What is wrong, in a sentence for the org's administrators.
  public var text: String
  /// A number of the plug-in's own, if it has some.
  public var code: Int?

  /// Makes an error.
  public init(_ text: String, code: Int? = nil) {
    self.text = text
    self.code = code
  }
}

/// A file that another program keeps, such as the report of an agent. Only files that the application names are read.
public struct SignalFile: SignalPlugin {
  /// How many bytes a signal has at most.
  public static let limit = 1_048_576

  /// The name that challenges ask for.
  public let name: String
  private let path: String

  /// Answers for a file.
  ///
  /// - Parameters:
  ///   - name: the name that challenges ask for.
  ///   - path: where the file is.
  public init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  /// A file.
  public var source: SignalSource { .file }

  /// Reads the file: a regular one, whole, and without waiting.
  ///
  /// - Throws: `SignalError` if the file cannot be read.
  public func collect() async throws(SignalError) -> [UInt8] {
    guard let bytes = SystemFiles(root: "/").bytes(path, atMost: Self.limit + 1) else {
      throw SignalError("the file cannot be read")
    }
    return bytes
  }
}
