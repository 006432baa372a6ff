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
  /// The handovers by the keys that store.json names.
  let handovers: Handovers
  /// The sizes at which trusted keys handed the log over: they sign no more after that.
  private var handedOver: [VerifierKey: UInt64] = [:]
  /// The keys that may have signed, by their hashes, which signature lines state: the trusted ones, and those that
  /// store.json says signed before, of this origin and of those that the store was restored from.
  private var signers: [UInt32: [Signer]] = [:]
  /// The first of them of each name.
  private var named: [ByteName: VerifierKey] = [:]
  /// The origins that notes may have, each with the largest size that it may have signed.
  private let origins: [ByteName: UInt64]
  /// The largest size that a readable checkpoint of the store covers.
  let largestSize: UInt64

  /// The trusted keys, given the checkpoints `published`, starting from `pinned`, or else from the key that store.json
  /// names.
  ///
  /// - Parameter kept: checkpoints that the caller has kept: a handover among them counts although the store lost it.
  init(identity: StoreIdentity, pinned: VerifierKey?, published: [SignedNote], kept: [SignedNote] = []) {
    let own = identity.publicKey.flatMap { try? VerifierKey(text: $0) }
    // A witness cosigns any log: its key anchors none.
    trusted = [pinned ?? own].compactMap { $0 }.filter { $0.algorithm == .ed25519 }
    let retired = identity.retiredKeys.compactMap { retired in
      (try? VerifierKey(text: retired.key)).map { Signer(key: $0, until: retired.until) }
    }
    var origins = [ByteName(identity.origin): UInt64.max]
    var restored: [Signer] = []
    for before in identity.restoredFrom {
      if !before.origin.isSame(as: identity.origin) { origins[ByteName(before.origin)] = before.size }
      guard let key = before.publicKey.flatMap({ try? VerifierKey(text: $0) }) else { continue }
      restored.append(Signer(key: key, until: before.size))
    }
    handovers = Handovers(in: published + kept, by: (retired + restored).map(\.key) + [own].compactMap { $0 })
    self.origins = origins
    largestSize = published.map(\.size).max() ?? 0
    followHandovers()

    // The handover is signed, store.json is not.
    var earlier = retired.map { Signer(key: $0.key, until: handovers.end(of: $0.key) ?? $0.until) }
    earlier += restored.map { Signer(key: $0.key, until: min($0.until, handovers.end(of: $0.key) ?? .max)) }
    if let pinned, let own, !pinned.name.isSame(as: own.name) {
      // The pinned key belongs to a log that this store was restored from: the store's own key signs later records.
      earlier.append(Signer(key: own))
    }
    take(Self.distinct(earlier))
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

  /// Puts together who may have signed: the trusted keys, and those that store.json says signed before.
  private mutating func take(_ earlier: [Signer]) {
    let ends = Dictionary(uniqueKeysWithValues: earlier.map { ($0.key, $0.until) })
    // A key that was trusted once and is retired signs no more.
    let now = trusted.map { Signer(key: $0, until: handedOver[$0] ?? ends[$0] ?? .max) }
    for signer in now + earlier {
      signers[signer.key.hash, default: []].append(signer)
      let name = ByteName(signer.key.name)
      if named[name] == nil { named[name] = signer.key }
    }
  }

  /// Trusts each key that a checkpoint of a trusted key names as the next, and that has signed it too. Being among the
  /// signatures is not enough: an attacker who can write the file can add one. Only the first handover of a key counts.
  private mutating func followHandovers() {
    var known = Set(trusted)
    var signing = trusted
    for (note, next) in handovers.notes where !known.contains(next) {
      guard let place = signing.firstIndex(where: { note.standing(with: $0) == .valid }) else { continue }
      handedOver[signing.remove(at: place)] = note.size
      trusted.append(next)
      signing.append(next)
      known.insert(next)
    }
  }

  /// True if a trusted key has signed the note, and had not handed the log over before.
  func isTrusted(_ note: SignedNote) -> Bool {
    trusted.contains { note.size <= handedOver[$0] ?? .max && note.standing(with: $0) == .valid }
  }

  /// True if the key of a log that the store was restored from has signed its note, or if no key is known that could
  /// have.
  func isOfEarlier(_ note: SignedNote, of before: StoreOrigin) -> Bool {
    guard let key = before.publicKey.flatMap({ VerifierKey(exactly: $0) }) else { return true }
    return note.standing(with: key) == .valid || trusted.contains { note.standing(with: $0) == .valid }
  }

  /// True if store.json may name `key`: it is trusted, or signs under a name that none of the trusted keys has.
  func accepts(_ key: VerifierKey) -> Bool {
    trusted.contains(key) || !trusted.contains { $0.name.isSame(as: key.name) }
  }

  /// A fault of a note's signatures, or nil.
  func fault(of note: SignedNote) -> String? {
    let said = "The checkpoint of \(note.size) records"
    guard let end = origins[ByteName(note.origin)] else {
      let known = origins.keys.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return "\(said) is of \(note.origin), not of \(known.joined(separator: " or "))."
    }
    guard note.size <= end else { return "\(said) is of \(note.origin), which ends at \(end)." }
    guard let first = named[ByteName(note.origin)] else {
      return "There is a checkpoint of \(note.origin), and no key to check it with."
    }
    var late: Signer?
    var isSigned = false
    // A valid signature does not make up for an invalid one: each is evidence to the people who have its key.
    for signer in Set(note.signatures.map(\.keyHash)).sorted().flatMap({ signers[$0] ?? [] }) {
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
    return "\(said) is not signed by \(first.name), key \(first.hashText)."
  }
}
