/// The keys whose checkpoints are trusted.
struct NoteCheck {
  /// A key that may have signed checkpoints.
  private struct Signer {
    var key: VerifierKey
    /// The largest size that it may have signed.
    var until: UInt64 = .max
  }

  /// The keys that must have signed: the one that the caller pinned, else the one that store.json names, and those that
  /// a checkpoint which one of them has signed hands the log over to.
  private(set) var trusted: [VerifierKey]
  /// The sizes at which trusted keys handed the log over: they sign no more after that.
  private var handedOver: [VerifierKey: UInt64] = [:]
  /// Keys that store.json says signed before, of this origin and of those that the store was restored from.
  private let earlier: [Signer]
  /// The origins that notes may have, each with the largest size that it may have signed.
  private let origins: [String: UInt64]
  /// The largest size that a readable checkpoint of the store covers.
  private(set) var largestSize: UInt64 = 0

  /// The trusted keys, given the checkpoints `published`, starting from `pinned`, or else from the key that store.json
  /// names.
  init(identity: StoreIdentity, pinned: VerifierKey?, published: [SignedNote]) {
    trusted = [pinned ?? identity.publicKey.flatMap { try? VerifierKey(text: $0) }].compactMap { $0 }
    var earlier = identity.retiredKeys.compactMap { retired in
      (try? VerifierKey(text: retired.key)).map { key in
        // The handover is signed, store.json is not.
        Signer(key: key, until: Self.handover(of: key, in: published) ?? retired.until)
      }
    }
    var origins = [identity.origin: UInt64.max]
    for before in identity.restoredFrom {
      if before.origin != identity.origin { origins[before.origin] = before.size }
      guard let key = before.publicKey.flatMap({ try? VerifierKey(text: $0) }) else { continue }
      earlier.append(Signer(key: key, until: min(before.size, Self.handover(of: key, in: published) ?? .max)))
    }
    if let pinned, let own = identity.publicKey.flatMap({ try? VerifierKey(text: $0) }), own != pinned,
      pinned.name != own.name
    {
      // The pinned key belongs to a log that this store was restored from: the store's own key signs later records.
      earlier.append(Signer(key: own))
    }
    self.earlier = Self.distinct(earlier)
    self.origins = origins
    largestSize = published.map(\.size).max() ?? 0
    followHandovers(in: published)
  }

  /// Each key once, with the largest size of its entries, since a signature is checked for each entry.
  private static func distinct(_ signers: [Signer]) -> [Signer] {
    var places: [VerifierKey: Int] = [:]
    var found: [Signer] = []
    for signer in signers {
      if let place = places[signer.key] {
        found[place].until = max(found[place].until, signer.until)
      } else {
        places[signer.key] = found.count
        found.append(signer)
      }
    }
    return found
  }

  /// Trusts each key that a checkpoint of a trusted key names as the next, and that has signed it too. Being among the
  /// signatures is not enough: an attacker who can write the file can add one. Only the first handover of a key counts.
  private mutating func followHandovers(in published: [SignedNote]) {
    for note in published.sorted(by: { $0.size < $1.size }) {
      guard let next = note.nextKey, next.name == note.origin, !trusted.contains(next),
        note.standing(with: next) == .valid,
        let from = trusted.first(where: {
          $0.name == note.origin && handedOver[$0] == nil && note.standing(with: $0) == .valid
        })
      else { continue }
      handedOver[from] = note.size
      trusted.append(next)
    }
  }

  /// The size at which a key handed the log over to another; nil if no checkpoint that both have signed says so.
  static func handover(of key: VerifierKey, in published: [SignedNote]) -> UInt64? {
    published.filter { note in
      guard let next = note.nextKey, next != key else { return false }
      return note.standing(with: key) == .valid && note.standing(with: next) == .valid
    }.map(\.size).min()
  }

  /// True if a trusted key has signed the note, for a log of its own name, and had not handed the log over before.
  func isTrusted(_ note: SignedNote) -> Bool {
    trusted.contains {
      $0.name == note.origin && note.size <= handedOver[$0] ?? .max && note.standing(with: $0) == .valid
    }
  }

  /// True if the key of a log that the store was restored from has signed its note, or if no key is known that could
  /// have.
  func isOfEarlier(_ note: SignedNote, of before: StoreOrigin) -> Bool {
    guard let key = before.publicKey.flatMap({ VerifierKey(exactly: $0) }) else { return true }
    return note.standing(with: key) == .valid || trusted.contains { note.standing(with: $0) == .valid }
  }

  /// True if store.json may name `key`: it is trusted, or signs under a name that none of the trusted keys has.
  func accepts(_ key: VerifierKey) -> Bool {
    trusted.contains(key) || !trusted.contains { $0.name == key.name }
  }

  /// A fault of a note's signatures, or nil.
  func fault(of note: SignedNote) -> String? {
    let said = "The checkpoint of \(note.size) records"
    guard let end = origins[note.origin] else {
      return "\(said) is of \(note.origin), not of \(origins.keys.sorted().joined(separator: " or "))."
    }
    guard note.size <= end else { return "\(said) is of \(note.origin), which ends at \(end)." }
    let signers = trusted.map { key in
      // A key that was trusted once and is retired signs no more.
      Signer(key: key, until: handedOver[key] ?? earlier.first { $0.key == key }?.until ?? .max)
    }
    let known = (signers + earlier).filter { $0.key.name == note.origin }
    guard !known.isEmpty else { return "There is a checkpoint of \(note.origin), and no key to check it with." }
    var late: Signer?
    var isSigned = false
    // A valid signature does not make up for an invalid one: each is evidence to the people who have its key.
    for signer in known {
      switch note.standing(with: signer.key) {
      case .invalid: return "The signature of the checkpoint of \(note.size) records does not hold."
      case .valid where note.size <= signer.until: isSigned = true
      case .valid: late = signer
      case .absent: continue
      }
    }
    if isSigned { return nil }
    if let late {
      return "\(said) is signed by key \(late.key.hashText), which was retired at \(late.until)."
    }
    return "\(said) is not signed by \(known[0].key.name), key \(known[0].key.hashText)."
  }
}
