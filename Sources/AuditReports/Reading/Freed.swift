// What a report has no more use for is freed on another processor: with many flows that takes as long as to count them.

import Dispatch

/// Frees values beside what goes on.
package enum Freed {
  /// Lets go of a value on another queue. Whoever has it too keeps it.
  package static func beside(_ value: consuming sending some Sendable) {
    let value = value
    DispatchQueue.global(qos: .userInitiated).async { withExtendedLifetime(value) {} }
  }
}
