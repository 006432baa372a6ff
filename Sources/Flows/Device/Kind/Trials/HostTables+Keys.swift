// The file format of private keys, and what opens them.

import Crypto
import EventStore
import FlowRecording
import Foundation

extension HostTables {
  private static let scalar = Array(UInt8(1)...32)
  private static let sealing = SymmetricKey(data: Array(UInt8(0)..<32))
  private static let binding = KeyBinding(receipt())

  private static func receipt(_ secret: UInt8 = 7, count: Int = 32, epoch: [UInt8] = [1]) -> VerificationReceipt {
    VerificationReceipt(method: .pin, secret: Array(repeating: secret, count: count), epoch: epoch)
  }

  /// Receipts: the right one and wrong ones.
  private static var receipts: [VerificationReceipt?] {
    [receipt(), nil, receipt(8), receipt(count: 31), receipt(epoch: [2]), receipt(epoch: [])]
  }

  private static func text<Value>(_ body: () throws(KeyStoreError) -> Value, _ show: (Value) -> String) -> String {
    do throws(KeyStoreError) { return show(try body()) } catch { return self.show(error) }
  }

  private static func show(_ file: KeyFile?) -> String {
    guard let file else { return "none" }
    let opened = receipts.map { receipt in
      text({ () throws(KeyStoreError) in try file.open(receipt) }, { DeviceTexts.hex($0.rawRepresentation) })
    }
    let counts = [[1], [2], []].map { (epoch: [UInt8]) in file.counts(under: epoch) }
    let key = DeviceTexts.hex(file.publicKey.x + file.publicKey.y)
    return "\(file.tag) \(file.role.rawValue) \(key) \(counts) \(opened)"
  }

  /// File names, and the tags that they stand for.
  static var keyNames: [String] {
    let tags = [
      "", "tag", "a-B_9", "a.b", "a/b c%", "é", "\u{0}\u{F}\u{10}", String(repeating: "a", count: 200),
      String(repeating: "a", count: 201), String(repeating: ".", count: 66), String(repeating: ".", count: 67),
    ]
    let names = [
      "tag.key", "tag", ".key", "a%2Eb.key", "a%2eb.key", "a%2.key", "a%.key", "a%zz.key", "%61.key", "a.b.key",
      "%C3%A9.key", "%C3.key", "tag.keys", "store.json", "%2Ekey.key", "TAG.KEY",
    ]
    let seals = [KeySeal.none, .key([1]), .passphrase("p")].map { line($0.name, $0.description) }
    let named = tags.map { line($0, KeyFile.name(of: $0)) }
    return named + names.map { line($0, KeyFile.tag(of: $0)) } + seals
  }

  /// Key files: created here, sealed elsewhere, and each with one error.
  static var keyFiles: [String] {
    guard let key = try? P256.Signing.PrivateKey(rawRepresentation: scalar) else { return ["no key"] }
    let point = JSON.base64(PublicKey(key.publicKey).x + PublicKey(key.publicKey).y)
    let header: [(String, JSON)] = [
      ("format", "flowrecorder-key"), ("v", 1), ("tag", "pop-1"), ("role", "proofOfPossession"), ("public", point),
    ]
    let changes: [(String, JSON)] = [
      ("format", "other"), ("v", 2), ("tag", "pop-2"), ("role", "clientInstance"), ("role", "userVerification"),
      ("role", "other"), ("public", "AAAA"), ("public", .base64(Array(repeating: 1, count: 64))),
      ("public", .base64(Array(repeating: 1, count: 65))),
    ]
    let lists =
      RuntimeTables.withEachLeftOut(of: header)
      + changes.map { name, value in header.map { $0.0 == name ? (name, value) : $0 } }
    let read = lists.enumerated().map { number, list in
      let text = AuthenticatedBox(header: list, content: scalar).sealed(under: nil) ?? []
      let shown = String(decoding: text, as: UTF8.self)
      return line("file \(number) \(shown)", show(KeyFile(text, tag: "pop-1", under: nil)))
    }
    let bound: [(String, JSON)] = [
      ("format", "flowrecorder-key"), ("v", 1), ("tag", "uv-1"), ("role", "userVerification"), ("public", point),
    ]
    let seals: [(String, JSON)] = [
      ("salt", .base64(Array(0..<16))), ("epoch", .base64(Array(SHA256.hash(data: [UInt8(1)])))),
    ]
    let wrong: [[(String, JSON)]] = [
      seals, [seals[0]], [seals[1]], [("salt", .base64(Array(0..<15))), seals[1]], [seals[0], ("epoch", "AAAA")],
      [("salt", .base64(Array(1...16))), seals[1]],
    ]
    let boundRead = wrong.enumerated().map { number, more in
      let text = AuthenticatedBox(header: bound + more, content: boundBox).sealed(under: nil) ?? []
      return line("bound \(number)", show(KeyFile(text, tag: "uv-1", under: nil)))
    }
    return read + boundRead + sealedFiles(point) + madeFiles(key)
  }

  private static let boundBox = decoded(
    "AAECAwQFBgcICQoLryUDCtrwF7ZNef3l6HsTiPDhFExDUmHkbSAf76/GOXwZdcr1i0SqsoL8lOCEi3mh")

  private static func decoded(_ text: String) -> [UInt8] { AuthenticatedBox.bytes(text) ?? [] }

  /// Files that were sealed elsewhere.
  private static func sealedFiles(_ point: JSON) -> [String] {
    let head: [(String, JSON?)] = [("format", "flowrecorder-key"), ("v", 1)]
    let open: [(String, JSON?)] = [
      ("tag", "pop-1"), ("role", "proofOfPossession"), ("public", point),
      ("box", "AAECAwQFBgcICQoLRgDVH8DjxROES5yHvOd3fZLElCDlbUhkIX3+mQB3H5JR06QZ8ErNrHSdTCGP+6B/"),
    ]
    let bound: [(String, JSON?)] = [
      ("tag", "uv-1"), ("role", "userVerification"), ("public", point), ("salt", .base64(Array(0..<16))),
      ("epoch", .base64(BoundSeal.hash(epoch: [1]))),
      (
        "box",
        .string(
          "AAECAwQFBgcICQoLRwPUGMHgxByFSJ2AHsx7Z1kmkIK9AqKZ0Bz2De2IFP5CQs8YwuENd9tiRpGR8uLNZR3KP9gqNzq7HFO4kdiXCkAlkQ"
            + "NustqHzQOJBA==")
      ),
    ]
    let texts = [(open, "pop-1"), (open, "pop-2"), (bound, "uv-1")].map { members, tag in
      (JSON.members(head + members).bytes + [0x0A], tag)
    }
    return texts.flatMap { text, tag in
      [sealing, nil, SymmetricKey(data: Array(UInt8(1)...32))].enumerated().map { number, key in
        line("sealed \(tag) \(number)", show(KeyFile(text, tag: tag, under: key)))
      }
    }
  }

  /// Files that are created here and read again.
  private static func madeFiles(_ key: P256.Signing.PrivateKey) -> [String] {
    let bindings: [KeyBinding?] = [
      nil, binding, KeyBinding(receipt: receipt(), epoch: [2]), KeyBinding(receipt(count: 33)),
    ]
    let made = [KeyRole.clientInstance, .userVerification].flatMap { role in
      bindings.enumerated().flatMap { number, binding in
        [nil, sealing].map { sealing -> String in
          let file = text(
            { () throws(KeyStoreError) in try KeyFile(making: key, tag: "tag", role: role, binding: binding) },
            { show($0.text(under: sealing).flatMap { KeyFile($0, tag: "tag", under: sealing) }) })
          return line("\(role.rawValue) \(number) \(sealing == nil ? "open" : "sealed")", file)
        }
      }
    }
    let checked = KeyRole.allCases.flatMap { role in
      [nil, binding].map { binding -> String in
        let said = text({ () throws(KeyStoreError) in try role.check(binding, tag: "tag") }, { _ in "taken" })
        return line("\(role.rawValue) \(binding == nil ? "unbound" : "bound")", said)
      }
    }
    return made + checked
  }

  /// Keys in memory, from creation to end.
  static var memoryKeys: [String] {
    let store = MemoryKeyStore(protection: .hardware)
    let message = Array("message".utf8)
    func sign(_ tag: String, _ receipt: VerificationReceipt?) -> String {
      text({ () throws(KeyStoreError) in try store.sign(message, tag: tag, receipt: receipt) }) { signature in
        let key = try? P256.Signing.PrivateKey(rawRepresentation: scalar).publicKey
        let signed = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        let isValid = signed.map { key?.isValidSignature($0, for: message) == true } ?? false
        return "\(signature.count) \(isValid)"
      }
    }
    func add(_ tag: String, _ role: KeyRole, _ binding: KeyBinding?, _ bytes: [UInt8]) -> String {
      let put = { () throws(KeyStoreError) in try store.add(privateKey: bytes, tag: tag, role: role, binding: binding) }
      return text(put) { DeviceTexts.hex($0.x) + DeviceTexts.hex($0.y) }
    }
    func state(_ tag: String) -> String {
      let key = text({ () throws(KeyStoreError) in try store.publicKey(tag: tag) }) { $0 == nil ? "no key" : "a key" }
      return "\(store.state(tag: tag).rawValue) \(key) \(store.signatures(tag: tag))"
    }
    func made() -> String {
      let make = { () throws(KeyStoreError) in try store.generate(tag: "made", role: .clientInstance, binding: nil) }
      return text(make) { "\($0.x.count) \($0.y.count)" }
    }
    func tags() -> String { text({ () throws(KeyStoreError) in try store.tags() }) { "\($0.sorted())" } }
    func delete(_ tag: String) -> String {
      text({ () throws(KeyStoreError) in try store.delete(tag: tag) }) { "\($0)" }
    }
    var lines = [add("pop", .proofOfPossession, nil, scalar), add("uv", .userVerification, nil, scalar)]
    lines += [add("uv", .userVerification, binding, scalar), add("bio", .userVerificationBioOrPin, nil, scalar)]
    lines += [add("short", .clientInstance, nil, [1, 2]), state("pop"), sign("pop", nil), sign("pop", receipt())]
    lines += [sign("none", nil)] + receipts.map { sign("uv", $0) }
    store.setLockedOut(true, tag: "pop")
    store.setLockedOut(true, tag: "none")
    lines += [sign("pop", nil), state("pop"), state("uv"), state("none")]
    store.setLockedOut(false, tag: "pop")
    for operation in MemoryKeyStore.Operation.allCases { store.fail(operation, with: .unavailable(reason: "why")) }
    store.fail(.sign, with: .invalidated(tag: "pop"))
    lines += [sign("pop", nil), sign("pop", nil), sign("pop", nil), state("pop"), state("pop"), tags(), tags()]
    lines += [delete("pop"), delete("pop"), delete("pop"), tags(), state("pop"), made(), made(), tags()]
    return lines + [store.protection.rawValue, MemoryKeyStore().protection.rawValue]
  }
}
