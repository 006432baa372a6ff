// API errors and what they mean for an enrollment (spec/device.md §13.6, §13.7, §15.3).

package import EventStore

/// An error of the org, as far as it can be read.
package struct ServerError: Sendable, Equatable {
  /// `E0000152`; nil if there is none.
  package var code: String?
  /// One sentence of the org.
  package var summary: String?

  /// Reads an answer's body; keeps what can be read.
  package init(_ body: JSON?) {
    code = Self.code(of: body?["errorCode"])
    // A rejection may come in another shape (§4.7), as do OAuth errors (§4.8).
    summary = body?["errorSummary"]?.string ?? body?["status"]?.string ?? body?["error"]?.string
  }

  /// What stands for a code, if it is one: neither another value, which the log may have a placeholder for, nor an empty text
  /// says anything of an enrollment (§13.7).
  package static func code(of value: JSON?) -> String? {
    value?.string.flatMap { $0.isEmpty || $0.utf8.first == UInt8(ascii: "$") ? nil : $0 }
  }

  /// What a code means for an enrollment (§13.7).
  package enum Meaning: String, Sendable, Equatable {
    /// It goes on.
    case active
    /// The org does not serve it for now.
    case suspended
    /// It is gone from the org.
    case deleted
    /// The device is gone from the org: enroll again.
    case reset
  }

  /// What a stored code says of the state of an enrollment.
  package static func meaning(of code: String?) -> Meaning {
    switch code {
    case "E0000152", "E0000155", "E0000180": .suspended
    case "E0000156", "E0000008": .deleted
    case "E0000153", "E0000154": .reset
    case nil, .some: .active
    }
  }

  /// Whether the code says that what was asked about is gone (§15.3).
  package var isGone: Bool { code.map { ["E0000008", "E0000153", "E0000154", "E0000156"].contains($0) } ?? false }
  /// Whether the code says that it is suspended.
  package var isSuspended: Bool { code.map { ["E0000152", "E0000155", "E0000180"].contains($0) } ?? false }
  /// Whether an enrollment may be tried once more, as a new device (§13.2).
  package var isDeviceReset: Bool { code == "E0000153" || code == "E0000011" }
}
