// Tokens that another than their holder uses: the rule behind the report `theft`.

package import EventStore

/// An event of some tokens, with the place that it came from.
struct TokenUse {
  /// What happened, as far as the rule looks.
  enum Kind {
    /// They were issued, stored or asked about.
    case seen
    /// They were renewed, or a renewal was refused.
    case renewal
    /// They were revoked or cleared.
    case end
  }

  var kind: Kind
  var at: Timestamp
  var stream: String
  /// The device that the application names.
  var device: String?
  /// The network address of the client.
  var address: String?
  /// Whether it is looked for: any counts for whose the tokens are.
  var isAsked = true
}

/// Uses of tokens by another than their holder.
package struct TokenTheft: Sendable, Equatable {
  /// Why the uses are odd.
  package enum Cause: String, Sendable, CaseIterable {
    /// The application names another device than the holder's.
    case device = "another device"
    /// One of the two names no device, and the address is none of the holder's.
    case place = "another place"
    /// They had been revoked or cleared.
    case end = "after their end"
  }

  package var cause: Cause
  /// The first odd use and the last.
  package var first: Timestamp
  package var last: Timestamp
  /// How many there are.
  package var uses: Int
  /// From where they came.
  package var device: String?
  package var place: String?
  /// Where the tokens belong.
  package var ownDevice: String?
  package var ownPlace: String?
  /// Whether the holder used them after the first odd use.
  package var isHeldSince: Bool
  /// The flow of the first odd use.
  package var stream: String
}

/// Finds odd uses among the events of some tokens.
struct TokenTheftDetection {
  /// How long before an odd use the holder must have used them, in seconds; nil for any time.
  let seconds: Int?

  /// The odd uses of one set of tokens, by cause and origin. Their holder is the first event that names a device or an
  /// address. Cost: sorting, then linear.
  func findings(_ uses: [TokenUse]) -> [TokenTheft] {
    let uses = uses.sorted { $0.at < $1.at }
    guard let holder = uses.first(where: { $0.device != nil || $0.address != nil }) else { return [] }
    var state = Holder(device: holder.device, address: holder.address)
    var findings: [TokenTheft] = []
    for use in uses {
      guard let cause = state.cause(of: use) else {
        state.take(use)
        for index in findings.indices where use.kind == .renewal { findings[index].isHeldSince = true }
        continue
      }
      guard use.isAsked, state.isInUse(at: use.at, within: seconds) else { continue }
      if let known = findings.firstIndex(where: {
        $0.cause == cause && $0.device == use.device && (use.device != nil || $0.place == use.address)
      }) {
        findings[known].uses += 1
        findings[known].last = use.at
      } else {
        findings.append(
          TokenTheft(
            cause: cause, first: use.at, last: use.at, uses: 1, device: use.device, place: use.address,
            ownDevice: state.device, ownPlace: state.address, isHeldSince: false, stream: use.stream))
      }
    }
    return findings
  }

  /// Who the tokens belong to, as far as the events so far say.
  private struct Holder {
    let device: String?
    /// The latest address.
    var address: String?
    private var addresses: Set<String>
    private var latest: Timestamp?
    private var isEnded = false

    init(device: String?, address: String?) {
      self.device = device
      self.address = address
      addresses = address.map { [$0] } ?? []
    }

    /// Whether the holder used them no longer ago than so many seconds.
    func isInUse(at time: Timestamp, within seconds: Int?) -> Bool {
      guard let seconds, let latest else { return true }
      return time.microseconds - latest.microseconds <= Int64(seconds) * 1_000_000
    }

    /// Why a use is none of the holder's; nil if it is.
    func cause(of use: TokenUse) -> TokenTheft.Cause? {
      guard use.kind == .renewal else { return nil }
      if isEnded { return .end }
      if let device, let other = use.device { return device == other ? nil : .device }
      guard let other = use.address, !addresses.isEmpty else { return nil }
      return addresses.contains(other) ? nil : .place
    }

    /// Takes up an event of the holder's, or one that says nothing of who made it.
    mutating func take(_ use: TokenUse) {
      switch use.kind {
      case .end: isEnded = true
      case .renewal, .seen:
        // What is only asked about may be asked by anyone.
        guard use.kind == .renewal || latest == nil else { return }
        latest = use.at
        guard let other = use.address else { return }
        address = other
        addresses.insert(other)
      }
    }
  }
}
