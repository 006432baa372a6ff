// Frees what a report no longer needs on another processor: with many flows, this takes as long as counting them.

import Dispatch

/// Frees values concurrently.
package enum Freed {
  /// Releases a value on another queue. Other references to it stay valid.
  package static func beside(_ value: consuming sending some Sendable) {
    let value = value
    DispatchQueue.global(qos: .userInitiated).async { withExtendedLifetime(value) {} }
  }
}
