import ArgumentParser
import EventStore

/// When an append counts as durable.
struct DurabilityOption: ExpressibleByArgument {
  let value: Durability

  /// A mode.
  init(_ value: Durability) { self.value = value }

  init?(argument: String) {
    switch argument {
    case "each": value = .each
    case "os": value = .os
    default:
      guard argument.hasPrefix("group:"), let milliseconds = Int(argument.dropFirst(6)),
        (1...60_000).contains(milliseconds)
      else { return nil }
      value = .group(milliseconds: milliseconds)
    }
  }

  /// The mode as it is typed.
  var defaultValueDescription: String {
    switch value {
    case .each: "each"
    case .os: "os"
    case .group(let milliseconds): "group:\(milliseconds)"
    }
  }
}
