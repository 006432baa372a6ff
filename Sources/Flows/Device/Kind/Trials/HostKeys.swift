// A key store whose keys behave as their tags say, for the tables of the host side.

import FlowRecording

/// Keys derived from their tags: those tagged `lost`, `locked`, and `broken` behave accordingly; others can be used.
final class HostKeys: KeyStore {
  let protection: KeyProtection
  /// The keys created, used, and destroyed.
  let log = Locked<[String]>([])

  init(_ protection: KeyProtection = .software) { self.protection = protection }

  private func note(_ text: String) { log.withLock { $0.append(text) } }

  /// Returns the operations since the previous call.
  func takeLog() -> [String] {
    log.withLock { log in
      defer { log = [] }
      return log
    }
  }

  private static func key(_ tag: String) -> PublicKey {
    PublicKey(x: Array(tag.utf8.prefix(32)), y: Array(repeating: UInt8(tag.utf8.count), count: 32))
  }

  func generate(tag: String, role: KeyRole, binding: KeyBinding?) throws(KeyStoreError) -> PublicKey {
    let epoch = binding.map { "\(DeviceTexts.hex($0.epoch)) \(DeviceTexts.hex($0.receipt.epoch))" } ?? "unbound"
    note("make \(tag) \(role.rawValue) \(epoch)")
    if tag == "refused" { throw .notMade(tag: tag, reason: "why") }
    return Self.key(tag)
  }

  func publicKey(tag: String) throws(KeyStoreError) -> PublicKey? {
    if tag == "broken" { throw .unavailable(reason: "why") }
    return tag == "lost" ? nil : Self.key(tag)
  }

  func state(tag: String) -> KeyState {
    switch tag {
    case "lost": .lost
    case "locked": .lockedOut
    default: .available
    }
  }

  func sign(_ message: [UInt8], tag: String, receipt: VerificationReceipt?) throws(KeyStoreError) -> [UInt8] {
    note("sign \(String(decoding: message, as: UTF8.self)) \(tag) \(receipt?.method.rawValue ?? "-")")
    switch tag {
    case "lost": throw .notFound(tag: tag)
    case "locked": throw .lockedOut(tag: tag)
    case "broken": throw .unavailable(reason: "why")
    case "invalidated": throw .invalidated(tag: tag)
    case "unverified": throw .notVerified(tag: tag)
    case "short": return [1, 2, 3]
    default: return Array(0..<64)
    }
  }

  @discardableResult
  func delete(tag: String) throws(KeyStoreError) -> Bool {
    note("delete \(tag)")
    if tag == "broken" { throw .unavailable(reason: "why") }
    return tag != "lost"
  }

  func tags() throws(KeyStoreError) -> [String] { [] }
}
