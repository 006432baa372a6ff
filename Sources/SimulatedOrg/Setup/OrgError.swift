// What can go wrong with the org itself.

public import Foundation

/// Why an org could not be started.
public struct OrgError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
  /// The kind of failure.
  public enum Code: Sendable, Equatable {
    /// Another process listens on that port.
    case portInUse
    /// The port requires rights that this process lacks.
    case portForbidden
    /// The port cannot be opened for another reason.
    case cannotListen
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence for a person.
  public let description: String

  /// The same sentence.
  public var errorDescription: String? { description }

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
