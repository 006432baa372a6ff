// The devices and places that people have signed in from.

import FlowRecording

/// The origins of each person's successes, in the order in which the flows are read.
struct KnownOrigins {
  /// What the origin of a flow is to the person that the flow names.
  enum Origin: String {
    /// An earlier flow in which the person succeeded came from there.
    case known
    /// No earlier flow in which the person succeeded did.
    case new
    /// The person succeeded in no earlier flow.
    case first
  }

  private var known: [String: Set<String>] = [:]

  /// What the words of the column mean.
  static let explanation =
    "The origin is known if an earlier flow in which the person succeeded came from the same device, or, if the flow names no device, from the same place without a device; new if none did; first if the log has no earlier flow in which the person succeeded."

  /// Returns what the origin of a flow is, by its device, or by its place without a device if it names none; nil if it
  /// names neither, or no user. The origin of a sign-in or recovery that succeeded is known to the flows after it.
  mutating func note(_ flow: FlowFacts) -> Origin? {
    // Flows without a user may be of several people, so nothing is new to them.
    guard let user = flow.user?.lowercased() else { return nil }
    let name = flow.context.device ?? flow.place
    let origin: Origin? =
      switch (name, known[user]) {
      case (nil, _): nil
      case (_, nil): Origin.first
      case (let name?, let earlier?): earlier.contains(name) ? Origin.known : Origin.new
      }
    if flow.isSignIn, flow.outcome == "success", origin != .known {
      known[user, default: []].formUnion([name].compactMap { $0 })
    }
    return origin
  }
}
