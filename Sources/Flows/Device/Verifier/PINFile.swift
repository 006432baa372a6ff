// A PIN stored in a file, with a count of failed attempts (spec/device.md §19.3).

import Crypto
import EventStore
public import FlowRecording
import Foundation

/// Why a PIN was not accepted.
public enum PINError: Error, Sendable, Hashable {
  /// The PIN is wrong. `left` is the number of attempts before a pause.
  case wrong(left: Int)
  /// There were too many wrong attempts. The PIN can be tried again after this many seconds.
  case lockedOut(seconds: Int)
  /// No PIN is set.
  case notSet
  /// A PIN is already set. To change it, provide the old one; removing it makes the keys that are bound to it unusable.
  case alreadySet
  /// The PIN has fewer than 4 characters or more than 256 bytes.
  case unfit
  /// The file could not be read or written.
  case unavailable(reason: String)
}

/// A PIN stored in a file, in its own directory or in that of a key store.
///
/// The file never contains the PIN, only a salt and a value derived from the PIN with scrypt and HKDF. The same
/// derivation yields the secret of receipts, so that no program can open a key that is bound to the PIN without it. An
/// attacker who has the file and the key can guess a short PIN within hours, so also seal the keys with a passphrase or
/// a key.
///
/// Each attempt is counted as a failure in the file before it is checked, across all processes. After five wrong PINs
/// in a row, there is a pause of 30 seconds; it doubles after every further wrong PIN, up to one hour.
public struct PINFile: Sendable {
  /// How many wrong PINs in a row are allowed without a pause.
  public static let freeTries = 5
  /// The first pause and the longest pause, in seconds.
  static let pauses = (first: 30.0, longest: 3_600.0)
  private static let name = "pin.json"
  private static let sizes = (shortest: 4, longest: 256)

  private let directory: SecretDirectory
  private let cost: KeyDerivationCost
  private let clock: any FlowClock

  /// Opens the PIN file in a directory.
  ///
  /// - Parameters:
  ///   - path: the directory; created with mode 0700 if it is missing.
  ///   - cost: the cost of one guess, for PINs that are set from now on.
  ///   - clock: the clock that determines when pauses end.
  /// - Throws: `unavailable` if the directory cannot be created or used.
  public init(
    directory path: String, cost: KeyDerivationCost = .standard, clock: any FlowClock = SystemClock()
  ) throws(PINError) {
    directory = try Self.run { () throws(SecretFileError) in try SecretDirectory(path: path) }
    self.cost = cost
    self.clock = clock
  }

  /// Changes whenever a PIN is set; empty if there is none or the file cannot be read.
  public var epoch: [UInt8] { (try? read())?.epoch ?? [] }

  /// Whether a PIN is set.
  public var isSet: Bool { !epoch.isEmpty }

  /// Sets the PIN. This invalidates keys that are bound to the previous PIN, even if the new one is the same.
  ///
  /// - Parameters:
  ///   - pin: the new PIN, at least 4 characters.
  ///   - old: the current PIN, if one is set.
  /// - Throws: `alreadySet`, `wrong`, `lockedOut`, `unfit`, or `unavailable`.
  public func setPIN(_ pin: String, replacing old: String? = nil) throws(PINError) {
    guard pin.count >= Self.sizes.shortest, pin.utf8.count <= Self.sizes.longest else { throw .unfit }
    var known: [UInt8]?
    if try read() != nil {
      guard let old else { throw .alreadySet }
      known = try verify(old).epoch
    }
    let salt = RandomBytes.make(count: PINRecord.saltLength)
    let key = try derive(pin, salt: salt, cost: cost)
    let record = PINRecord(
      salt: salt, cost: cost, check: key.check, epoch: RandomBytes.make(count: PINRecord.epochLength), failures: 0,
      lockedUntil: 0)
    try set(record, inPlaceOf: known)
  }

  /// Writes a record if the stored PIN still has the known epoch, or if there is still none. If two processes set a PIN
  /// at the same time, only one succeeds.
  private func set(_ record: PINRecord, inPlaceOf known: [UInt8]?) throws(PINError) {
    let result = try Self.run { () throws(SecretFileError) in
      try directory.alone { () throws(SecretFileError) -> Result<Bool, PINError> in
        let text = try directory.read(Self.name, limit: PINRecord.limit)
        do throws(PINError) {
          guard try text.map(decoded)?.epoch == known else { return .success(false) }
        } catch {
          return .failure(error)
        }
        try directory.writeAlone(record.text, to: Self.name)
        return .success(true)
      }
    }
    guard try result.get() else { throw .alreadySet }
  }

  /// Removes the PIN without asking for it. Keys that are bound to it can never be opened again.
  ///
  /// - Throws: `unavailable` if the file cannot be removed.
  public func remove() throws(PINError) {
    _ = try Self.run { () throws(SecretFileError) in try directory.remove(Self.name) }
  }

  /// Checks a PIN. This takes as long as the derivation, about a quarter of a second by default.
  ///
  /// - Returns: a receipt that opens the keys bound to the PIN.
  /// - Throws: `wrong`, `lockedOut`, `notSet`, or `unavailable`.
  public func verify(_ pin: String) throws(PINError) -> VerificationReceipt {
    let record = try count()
    let isFit = pin.utf8.count <= Self.sizes.longest
    let key = try derive(isFit ? pin : "", salt: record.salt, cost: record.cost)
    guard isFit, SymmetricKey(data: key.check) == SymmetricKey(data: record.check) else {
      guard record.failures < Self.freeTries else { throw .lockedOut(seconds: seconds(record)) }
      throw .wrong(left: Self.freeTries - record.failures)
    }
    try change { $0.isSamePIN(as: record) ? $0.forgiven : $0 }
    return VerificationReceipt(method: .pin, secret: key.secret, epoch: record.epoch)
  }

  /// Counts an attempt as a failure before it is checked, so that killing the process gains nothing.
  private func count() throws(PINError) -> PINRecord {
    let now = now
    var pause = 0.0
    let record = try change { record in
      // Written even if the pause continues, because it may have been shortened after the clock was set back.
      let known = record.sane(now: now)
      pause = known.lockedUntil - now
      return pause > 0 ? known : known.failed(now: now)
    }
    guard pause <= 0 else { throw .lockedOut(seconds: Int(pause.rounded(.up))) }
    return record
  }

  private func seconds(_ record: PINRecord) -> Int { Int(max(0, record.lockedUntil - now).rounded(.up)) }

  private var now: Double { Double(clock.now().microseconds) / 1_000_000 }

  private func derive(_ pin: String, salt: [UInt8], cost: KeyDerivationCost)
    throws(PINError) -> (check: [UInt8], secret: [UInt8])
  {
    guard let key = SlowKey.derive(pin, salt: salt, cost: cost) else {
      throw .unavailable(reason: "there is not enough memory to check the PIN")
    }
    let expand = { (purpose: String) in
      // SAFETY: the bytes are copied before the closure ends.
      unsafe HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: key), info: Data("flowrecorder pin \(purpose) 1".utf8),
        outputByteCount: 32
      ).withUnsafeBytes { unsafe Array($0) }
    }
    return (expand("check"), expand("receipt"))
  }

  // MARK: The file

  private func read() throws(PINError) -> PINRecord? {
    let text = try Self.run { () throws(SecretFileError) in try directory.read(Self.name, limit: PINRecord.limit) }
    return try text.map(decoded)
  }

  private func decoded(_ text: [UInt8]) throws(PINError) -> PINRecord {
    guard let record = PINRecord(text) else {
      throw .unavailable(reason: "\(directory.path)/\(Self.name) is damaged; remove the PIN and set it again")
    }
    return record
  }

  /// Changes the file while excluding all other processes.
  @discardableResult
  private func change(_ body: (PINRecord) throws(PINError) -> PINRecord) throws(PINError) -> PINRecord {
    let result = try Self.run { () throws(SecretFileError) in
      try directory.alone { () throws(SecretFileError) -> Result<PINRecord, PINError> in
        let text = try directory.read(Self.name, limit: PINRecord.limit)
        let next: PINRecord
        do throws(PINError) {
          guard let text else { throw .notSet }
          next = try body(try decoded(text))
        } catch {
          return .failure(error)
        }
        try directory.writeAlone(next.text, to: Self.name)
        return .success(next)
      }
    }
    return try result.get()
  }

  private static func run<Value>(_ body: () throws(SecretFileError) -> Value) throws(PINError) -> Value {
    do throws(SecretFileError) { return try body() } catch { throw .unavailable(reason: error.reason) }
  }
}
