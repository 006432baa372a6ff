// API errors, and their meaning for an enrollment (spec/device.md §13.6, §13.7, §15.3).

package import EventStore

/// An error from the org, as far as it can be read.
package struct ServerError: Sendable, Equatable {
  /// The error code, such as `E0000152`; `nil` if there is none.
  package var code: String?
  /// A one-sentence summary by the org.
  package var summary: String?

  /// Reads as much as possible from the body of a response.
  package init(_ body: JSON?) {
    code = Self.code(of: body?["errorCode"])
    // A rejection may have a different format (§4.7), as do OAuth errors (§4.8).
    summary = body?["errorSummary"]?.string ?? body?["status"]?.string ?? body?["error"]?.string
  }

  /// Returns the error code if the value is one. Other values, which may be logged as placeholders, and empty text
  /// imply nothing about an enrollment (§13.7).
  package static func code(of value: JSON?) -> String? {
    value?.string.flatMap { $0.isEmpty || $0.utf8.first == UInt8(ascii: "$") ? nil : $0 }
  }

  /// The meaning of an error code for an enrollment (§13.7).
  package enum Meaning: String, Sendable, Equatable {
    /// The enrollment is in use.
    case active
    /// The org has suspended the enrollment.
    case suspended
    /// The org has deleted the enrollment.
    case deleted
    /// The org has deleted the device, which must be enrolled again.
    case reset
  }

  /// Returns what a stored error code implies about the state of an enrollment.
  package static func meaning(of code: String?) -> Meaning {
    switch code {
    case "E0000152", "E0000155", "E0000180": .suspended
    case "E0000156", "E0000008": .deleted
    case "E0000153", "E0000154": .reset
    case nil, .some: .active
    }
  }

  /// Whether the code means that the requested resource no longer exists (§15.3).
  package var isGone: Bool { code.map { ["E0000008", "E0000153", "E0000154", "E0000156"].contains($0) } ?? false }
  /// Whether the code means that the requested resource is suspended.
  package var isSuspended: Bool { code.map { ["E0000152", "E0000155", "E0000180"].contains($0) } ?? false }
  /// Whether the enrollment may be tried again as a new device (§13.2).
  package var isDeviceReset: Bool { code == "E0000153" || code == "E0000011" }
}
