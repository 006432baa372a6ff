// The contents of the PIN file (docs/DEVICE.md, "A PIN").

import EventStore
import FlowRecording

/// The contents of `pin.json`.
struct PINRecord: Sendable, Hashable {
  static let limit = 4_096
  static let saltLength = 32
  static let epochLength = 16
  private static let checkLength = 32
  private static let format = "flowrecorder-pin"

  /// The salt for the derivation.
  var salt: [UInt8]
  /// The cost of the derivation.
  var cost: KeyDerivationCost
  /// The value derived from the right PIN.
  var check: [UInt8]
  /// A random value that is new for every PIN that is set.
  var epoch: [UInt8]
  /// The number of wrong attempts in a row.
  var failures: Int
  /// The end of the pause, in seconds since 1970; 0 if there is none.
  var lockedUntil: Double

  init(
    salt: [UInt8], cost: KeyDerivationCost, check: [UInt8], epoch: [UInt8], failures: Int, lockedUntil: Double
  ) {
    self.salt = salt
    self.cost = cost
    self.check = check
    self.epoch = epoch
    self.failures = failures
    self.lockedUntil = lockedUntil
  }

  /// The text of the file.
  var text: [UInt8] {
    JSON.members([
      ("format", .string(Self.format)), ("v", .int(1)), ("salt", .base64(salt)), ("rounds", .int(cost.rounds)),
      ("blockSize", .int(cost.blockSize)), ("parallelism", .int(cost.parallelism)), ("check", .base64(check)),
      ("epoch", .base64(epoch)), ("failures", .int(failures)), ("lockedUntil", .number("\(lockedUntil)")),
    ]).bytes + [0x0A]
  }

  /// Reads the text of a file; `nil` if it is damaged.
  init?(_ text: [UInt8]) {
    guard let object = try? JSON(parsing: text).object, object["format"]?.string == Self.format,
      object["v"]?.int == 1, let salt = object["salt"]?.string.flatMap(AuthenticatedBox.bytes),
      let rounds = object["rounds"]?.int, let blockSize = object["blockSize"]?.int,
      let parallelism = object["parallelism"]?.int,
      let cost = KeyDerivationCost(rounds: rounds, blockSize: blockSize, parallelism: parallelism),
      let check = object["check"]?.string.flatMap(AuthenticatedBox.bytes),
      let epoch = object["epoch"]?.string.flatMap(AuthenticatedBox.bytes), salt.count == Self.saltLength,
      check.count == Self.checkLength, epoch.count == Self.epochLength, let failures = object["failures"]?.int,
      (0...Int(Int32.max)).contains(failures), let lockedUntil = object["lockedUntil"]?.double, lockedUntil.isFinite
    else { return nil }
    self.init(salt: salt, cost: cost, check: check, epoch: epoch, failures: failures, lockedUntil: lockedUntil)
  }

  /// Whether this is the same PIN as in another record.
  func isSamePIN(as other: PINRecord) -> Bool { epoch == other.epoch }

  /// The record after another wrong PIN.
  func failed(now: Double) -> PINRecord {
    var next = self
    next.failures = min(failures + 1, Int(Int32.max) - 1)
    next.lockedUntil = next.failures < PINFile.freeTries ? 0 : now + pause(after: next.failures)
    return next
  }

  /// The record after the right PIN.
  var forgiven: PINRecord {
    var next = self
    next.failures = 0
    next.lockedUntil = 0
    return next
  }

  /// The record with a bounded pause: if the clock was set back, the pause could otherwise last almost forever.
  func sane(now: Double) -> PINRecord {
    var next = self
    next.lockedUntil = min(lockedUntil, now + pause(after: failures))
    return next
  }

  private func pause(after failures: Int) -> Double {
    let doublings = min(max(failures - PINFile.freeTries, 0), 16)
    return min(PINFile.pauses.first * Double(1 << doublings), PINFile.pauses.longest)
  }
}
