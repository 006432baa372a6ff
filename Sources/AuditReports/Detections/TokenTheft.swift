// Tokens used by someone other than their holder: the rule behind the report `theft`.

package import EventStore

/// A use of a set of tokens, with its origin.
struct TokenUse {
  /// The kind of use, as far as the rule distinguishes it.
  enum Kind {
    /// They were issued, stored or introspected.
    case seen
    /// They were renewed, or a renewal was refused.
    case renewal
    /// They were revoked or cleared.
    case end
  }

  var kind: Kind
  var at: Timestamp
  var stream: String
  /// The store that contains it, and the position in its log.
  var store = ""
  var position: UInt64
  /// The device that the application names.
  var device: String?
  /// The network address of the client.
  var address: String?
  /// Whether it can be reported. Every use counts toward determining the holder.
  var isAsked = true
}

/// Uses of tokens by someone other than their holder.
package struct TokenTheft: Sendable, Equatable {
  /// Why the uses are suspicious.
  package enum Cause: String, Sendable, CaseIterable {
    /// The application names another device than the holder's.
    case device = "another device"
    /// One of the two names no device, and the address is not one of the holder's.
    case place = "another place"
    /// They had been revoked or cleared.
    case end = "after their end"
  }

  package var cause: Cause
  /// The first and the last suspicious use.
  package var first: Timestamp
  package var last: Timestamp
  /// How many there are.
  package var uses: Int
  /// Their origin.
  package var device: String?
  package var place: String?
  /// The holder's device and address.
  package var ownDevice: String?
  package var ownPlace: String?
  /// Whether the holder used the tokens after the first suspicious use.
  package var isHeldSince: Bool
  /// The flow of the first suspicious use.
  package var stream: String
}

/// Finds suspicious uses among the events of a set of tokens.
struct TokenTheftDetection {
  /// The maximum time since the holder's last use, in seconds; nil for any time.
  let seconds: Int?

  /// The suspicious uses of one set of tokens, by cause and origin. The holder is determined by the first event, in the
  /// order of the log, that names a device or an address. Cost: sorting, then linear.
  func findings(_ uses: [TokenUse]) -> [TokenTheft] {
    let uses = LogOrder.sorted(uses) { LogOrder.Place(store: $0.store, at: $0.at, position: $0.position) }
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

  /// The holder of the tokens, as far as the events so far show.
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
      return time.isWithin(seconds: seconds, after: latest)
    }

    /// Why a use is not the holder's; nil if it is.
    func cause(of use: TokenUse) -> TokenTheft.Cause? {
      guard use.kind == .renewal else { return nil }
      if isEnded { return .end }
      if let device, let other = use.device { return device == other ? nil : .device }
      guard let other = use.address, !addresses.isEmpty else { return nil }
      return addresses.contains(other) ? nil : .place
    }

    /// Processes an event of the holder, or one that does not name its origin.
    mutating func take(_ use: TokenUse) {
      switch use.kind {
      case .end: isEnded = true
      case .renewal, .seen:
        // Anyone may introspect tokens.
        guard use.kind == .renewal || latest == nil else { return }
        latest = use.at
        guard let other = use.address else { return }
        address = other
        addresses.insert(other)
      }
    }
  }
}
