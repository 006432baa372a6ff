// Signals that an org asks for by name, and the plug-ins that provide them (spec/device.md §10.2).

/// Answers challenges that ask for a signal by name, in `integrations` or `signalProviders`.
///
/// A plug-in is called after the person has answered, outside of the flow's own step. Its task is cancelled when the
/// challenge expires. A plug-in cannot make a challenge fail: if it throws, the org receives the error instead of the
/// signal. Signals are recorded as placeholders.
public protocol SignalPlugin: Sendable {
  /// The name that challenges ask for.
  var name: String { get }
  /// The source of the signal, as reported to the org.
  var source: SignalSource { get }
  /// Collects the signal: JSON text in UTF-8, at most `SignalFile.limit` bytes.
  ///
  /// - Throws: `SignalError`, which is sent to the org.
  func collect() async throws(SignalError) -> [UInt8]
}

extension SignalPlugin {
  /// The default source, `application`.
  public var source: SignalSource { .application }
}

/// The source of a signal, as sent in `configuration.type`.
public enum SignalSource: String, Sendable, Hashable, CaseIterable {
  /// The application provides the signal.
  case application = "DEFAULT"
  /// Another program writes the signal to a file.
  case file = "FILE"
}

/// Why there is no signal. The text is sent to the org.
public struct SignalError: Error, Sendable, Hashable {
  /// The problem, in one sentence for the org's administrators.
  public var text: String
  /// The plug-in's own error code, if it has one.
  public var code: Int?

  /// Creates an error.
  public init(_ text: String, code: Int? = nil) {
    self.text = text
    self.code = code
  }
}

/// Reads a signal from a file that another program writes, such as an agent's report. Only files that the application
/// names are read.
public struct SignalFile: SignalPlugin {
  /// The maximum size of a signal, in bytes.
  public static let limit = 1_048_576

  /// The name that challenges ask for.
  public let name: String
  private let path: String

  /// Creates a plug-in for a file.
  ///
  /// - Parameters:
  ///   - name: the name that challenges ask for.
  ///   - path: the path of the file.
  public init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  /// Always `file`.
  public var source: SignalSource { .file }

  /// Reads the file. It must be a regular file; reading it never blocks.
  ///
  /// - Throws: `SignalError` if the file cannot be read.
  public func collect() async throws(SignalError) -> [UInt8] {
    guard let bytes = SystemFiles(root: "/").bytes(path, atMost: Self.limit + 1) else {
      throw SignalError("the file cannot be read")
    }
    return bytes
  }
}
