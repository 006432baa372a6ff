// A PIN in a file: what it is checked against, how often it was wrong (spec/device.md §19.3).

import Crypto
import EventStore
public import FlowRecording
import Foundation

/// Why a PIN was not taken.
public enum PINError: Error, Sendable, Hashable {
  /// It is not the PIN; this many may be tried before a pause.
  case wrong(left: Int)
  /// Too many were wrong; not for this many seconds.
  case lockedOut(seconds: Int)
  /// There is none yet.
  case notSet
  /// There is one already; give it to change it, or remove it, which makes the keys that are bound to it useless.
  case alreadySet
  /// It has fewer than 4 characters or more than 256 bytes.
  case unfit
  /// The file could not be read or written.
  case unavailable(reason: String)
}

/// A PIN that a person knows, as a file in a directory of its own or of a key store.
///
/// The file holds a salt and a value that scrypt and HKDF made of the PIN, never the PIN. The same derivation gives the
/// secret of receipts, so that a key that is bound to the PIN cannot be opened without it, whatever program asks. A PIN
/// of few digits is guessed in hours by whoever has the file and the key: keep keys under a passphrase or a key as well.
///
/// Wrong PINs are counted in the file before each is checked, by all processes together: after five in a row there is a
/// pause of 30 seconds, and after each further one a pause twice as long, at most an hour.
public struct PINFile: Sendable {
  /// How many wrong PINs in a row there may be without a pause.
  public static let freeTries = 5
  /// Seconds of the first pause, and of the longest.
  static let pauses = (first: 30.0, longest: 3_600.0)
  private static let name = "pin.json"
  private static let sizes = (shortest: 4, longest: 256)

  private let directory: SecretDirectory
  private let cost: KeyDerivationCost
  private let clock: any FlowClock

  /// Opens the file of a directory.
  ///
  /// - Parameters:
  ///   - path: the directory; made with mode 0700 where it is missing.
  ///   - cost: how much work a guess costs, for PINs that are set from now on.
  ///   - clock: the clock that pauses end by.
  /// - Throws: `unavailable`.
  public init(
    directory path: String, cost: KeyDerivationCost = .standard, clock: any FlowClock = SystemClock()
  ) throws(PINError) {
    directory = try Self.run { () throws(SecretFileError) in try SecretDirectory(path: path) }
    self.cost = cost
    self.clock = clock
  }

  /// Changes with each PIN that is set; empty if there is none, or it cannot be read.
  public var epoch: [UInt8] { (try? read())?.epoch ?? [] }

  /// Whether a PIN is set.
  public var isSet: Bool { !epoch.isEmpty }

  /// Sets the PIN. Keys that are bound to an older one are invalidated by it, even if it is the same.
  ///
  /// - Parameters:
  ///   - pin: 4 characters at least.
  ///   - old: the PIN that is set, if there is one.
  /// - Throws: `alreadySet`, `wrong`, `lockedOut`, `unfit`, `unavailable`.
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

  /// Writes a record if the PIN is still the one of this epoch, or there is still none: of two that set one at the same time, in
  /// any process, one succeeds.
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

  /// Removes the PIN, without asking for it. Keys that are bound to it can never be opened again.
  ///
  /// - Throws: `unavailable` if the file cannot be removed.
  public func remove() throws(PINError) {
    _ = try Self.run { () throws(SecretFileError) in try directory.remove(Self.name) }
  }

  /// Checks a PIN. It takes as long as the derivation does, a quarter of a second by default.
  ///
  /// - Returns: what opens the keys that are bound to it.
  /// - Throws: `wrong`, `lockedOut`, `notSet`, `unavailable`.
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

  /// Counts a try as a failure, before it is known to be one: who ends the process in between gains nothing.
  private func count() throws(PINError) -> PINRecord {
    let now = now
    var pause = 0.0
    let record = try change { record in
      // Written even if the pause goes on: it may have been shortened, for a clock that was set back.
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

  /// Changes the file alone among all processes.
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
