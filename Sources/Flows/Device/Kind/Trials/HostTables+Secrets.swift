// What a person knows: passphrases of key stores, PINs, and the cost of deriving keys from them.

import Crypto
import EventStore
import FlowRecording

extension HostTables {
  private static let bytes = Array(UInt8(0)..<32)

  // MARK: Key stores

  /// Heads of key stores: some created here, others created elsewhere with a key and a passphrase.
  private static var heads: [(String, [(String, JSON?)])] {
    let head: [(String, JSON?)] = [("format", "flowrecorder-keys"), ("v", 1)]
    let sealed: [(String, JSON?)] = [
      ("seal", "key"), ("box", "AAECAwQFBgcICQoLIW65bLeAoXT/JfL5kYIdFPDZXQMW5Vopvujs5TNO1XPS"),
    ]
    let passphrase: [(String, JSON?)] = [
      ("seal", "passphrase"), ("salt", .base64(bytes)), ("rounds", 2), ("blockSize", 1), ("parallelism", 1),
      ("box", "AAECAwQFBgcICQoLKaXdx4fMRJectcc9ViU0DQS7XiVf3T7h6C4uCCTowQAL"),
    ]
    let changes: [(String, JSON?)] = [
      ("salt", "AAAA"), ("rounds", 3), ("rounds", 1), ("blockSize", 33), ("parallelism", 0), ("parallelism", 2),
      ("seal", "other"),
    ]
    var all: [(String, [(String, JSON?)])] = [
      ("key", head + sealed), ("bare", head), ("another format", [("format", "other"), ("v", 1)] + sealed),
      ("a newer version", [("format", "flowrecorder-keys"), ("v", 2)] + sealed), ("passphrase", head + passphrase),
    ]
    for (name, value) in changes {
      let changed = passphrase.map { $0.0 == name ? (name, value) : $0 }
      all.append(("\(name) \(value?.text ?? "-")", head + changed))
    }
    for (number, left) in RuntimeTables.withEachLeftOut(of: head + passphrase).enumerated() {
      all.append(("left out \(number)", left))
    }
    return all
  }

  private static func unlocked(_ text: [UInt8], by seal: KeySeal) -> String {
    do throws(KeyStoreError) {
      let head = try KeyStoreHead(text, seal: seal, path: "store")
      let key = head.key.map { $0 == SymmetricKey(data: bytes) ? "the key" : "a key" } ?? "no key"
      return "\(key) \(head.text == text)"
    } catch {
      return show(error)
    }
  }

  /// What opens key stores.
  static var keyStores: [String] {
    let seals: [(String, KeySeal)] = [
      ("none", .none), ("key", .key(bytes)), ("short", .key(Array(bytes.dropLast()))),
      ("other", .key(Array(bytes.reversed()))), ("passphrase", .passphrase("horse", cost: .weakForTests)),
      ("wrong", .passphrase("house", cost: .weakForTests)), ("empty", .passphrase("", cost: .weakForTests)),
    ]
    let tried = heads.flatMap { name, members in
      seals.map { word, seal in line("\(name) by \(word)", unlocked(JSON.members(members).bytes, by: seal)) }
    }
    let made = seals.map { name, seal -> String in
      do throws(KeyStoreError) {
        let head = try KeyStoreHead(making: seal)
        let members = (try? JSON(parsing: head.text))?.object?.members ?? []
        let shown = members.filter { !["box", "salt"].contains($0.key) }.map { "\($0.key) \($0.value.text)" }
        let again = seals.map { unlocked(head.text, by: $0.1).hasPrefix("unavailable") ? "no" : "yes" }
        return line("made by \(name)", "\(members.map(\.key)) \(shown) \(again)")
      } catch {
        return line("made by \(name)", show(error))
      }
    }
    let damaged = ["", "[]", "{"].map { line("damaged \($0)", unlocked(Array($0.utf8), by: .none)) }
    return tried + made + damaged
  }

  /// Which derivation costs are allowed, and the derived keys.
  static var derivations: [String] {
    let numbers = [
      (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 32, 16), (4, 33, 16), (4, 32, 17), (4, 0, 1), (4, 1, 0), (0, 1, 1),
      (-2, 1, 1), (1 << 20, 8, 1), (1 << 20, 9, 1), (1 << 21, 1, 1), (1 << 18, 32, 16), (1 << 19, 32, 1),
    ]
    let costs = numbers.map { rounds, blockSize, parallelism in
      let cost = KeyDerivationCost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
      return line("\(rounds) \(blockSize) \(parallelism)", cost.map { show($0) })
    }
    let texts = [("horse", bytes), ("horse", [1]), ("", bytes), ("\u{E9}", bytes), ("e\u{301}", bytes), ("É", bytes)]
    let keys = texts.map { text, salt in
      let key = SlowKey.derive(text, salt: salt, cost: .weakForTests)
      return line("\(text.unicodeScalars.count) \(salt.count)", key.map { DeviceTexts.hex($0) })
    }
    return costs + keys + [show(KeyDerivationCost.standard), show(KeyDerivationCost.weakForTests)]
  }

  private static func show(_ cost: KeyDerivationCost) -> String {
    "\(cost.rounds) \(cost.blockSize) \(cost.parallelism)"
  }

  // MARK: PINs

  private static func record(_ failures: Int, _ lockedUntil: Double = 0) -> PINRecord {
    PINRecord(
      salt: bytes, cost: .weakForTests, check: Array(bytes.reversed()), epoch: Array(0..<16), failures: failures,
      lockedUntil: lockedUntil)
  }

  private static func show(_ record: PINRecord) -> String { String(decoding: record.text, as: UTF8.self) }

  private static func counts(_ record: PINRecord) -> String { "\(record.failures) \(record.lockedUntil)" }

  /// How PIN failures are counted, and the contents of the PIN file.
  static var pins: [String] {
    let times: [Double] = [0, 999, 1_000, 1_030, 1_031, 1_060, 4_600, 4_601, 1e9]
    let failures = [0, 1, 3, 4, 5, 6, 7, 10, 11, 12, 13, 20, 21, 22, 80, Int(Int32.max) - 2, Int(Int32.max) - 1]
    let counted = failures.map { count in
      let record = record(count, 1_010.5)
      return line("\(count)", "\(counts(record.failed(now: 1_000))) \(counts(record.forgiven))")
    }
    let sane = failures.flatMap { count in
      times.map { line("\(count) until \($0)", counts(record(count, $0).sane(now: 1_000))) }
    }
    var other = record(0)
    other.epoch[15] = 9
    let same = [record(7), other].map { line("same", "\($0.isSamePIN(as: record(0)))") }
    let members = (try? JSON(parsing: record(3, 1_000.5).text))?.object?.members ?? []
    let changes: [(String, JSON)] = [
      ("format", "other"), ("v", 2), ("salt", "AAAA"), ("salt", "*"), ("rounds", 3), ("blockSize", 2),
      ("parallelism", 2), ("check", "AAAA"), ("epoch", "AAAA"), ("failures", -1), ("failures", .int(Int(Int32.max))),
      ("failures", .int(Int(Int32.max) + 1)), ("failures", .number("1.5")), ("lockedUntil", -5),
      ("lockedUntil", .number("1e999")),
      ("lockedUntil", "5"), ("more", 1),
    ]
    let lists =
      RuntimeTables.withEachLeftOut(of: members)
      + changes.map { name, value in members.filter { $0.key != name } + [JSONObject.Member(key: name, value: value)] }
    let read = lists.map { list in
      let text = JSON.object(JSONObject(list)).bytes
      return line(String(decoding: text, as: UTF8.self), PINRecord(text).map { show($0) })
    }
    let limits = "\(PINRecord.limit) \(PINFile.freeTries) \(PINFile.pauses.first) \(PINFile.pauses.longest)"
    return counted + sane + same + read + [show(record(3, 1_000.5)), limits]
  }
}
