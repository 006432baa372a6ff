// What objects show of themselves while an application holds them, and the secrets that none of them may show.

import Crypto
import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg
import Testing

/// Keeps what objects show, moment by moment, and holds it against secrets that may turn up only later.
final class Watch: Sendable {
  private struct Sight: Sendable {
    var moment: String
    var object: String
    var text: String
  }

  private let sights = Locked<[Sight]>([])
  private let words = Locked<Set<String>>([])
  private let bytes = Locked<[String: [UInt8]]>([:])

  /// The moments that something was looked at.
  var moments: Set<String> { Set(sights.withLock { $0.map(\.moment) }) }

  /// The secrets that are texts.
  var secrets: Set<String> { words.withLock { $0 } }

  /// Looks at objects: printed, described, reflected, dumped.
  func look(_ moment: String, at values: [Any]) {
    for value in values {
      let seen = texts(of: value).map { Sight(moment: moment, object: "\(type(of: value))", text: $0) }
      sights.withLock { $0 += seen }
    }
  }

  /// A text that must not be shown. Of a JWT neither its claims nor its signature may be.
  func hide(_ secret: String) {
    let parts = secret.hasPrefix("eyJ") ? secret.split(separator: ".").dropFirst().map(String.init) : []
    words.withLock { $0.formUnion([secret] + parts.filter { $0.count >= 8 }) }
  }

  /// Bytes that must not be shown, as numbers or as a text that stands for them.
  func hide(_ name: String, _ secret: [UInt8]) {
    bytes.withLock { $0[name] = secret }
    hide(Data(secret).base64EncodedString())
    hide(Base64URL.encode(secret))
    hide(secret.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
  }

  /// All JWTs of a text.
  func hideTokens(of text: String) {
    for match in text.matches(of: /eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/) { hide(String(match.output)) }
  }

  /// What the org was sent in secret.
  func hide(_ requests: [ReceivedRequest]) {
    for request in requests {
      if let token = request.header("Authorization")?.split(separator: " ").last { hide(String(token)) }
      hideTokens(of: request.text)
    }
  }

  /// What showed a secret, and when.
  var leaks: Set<String> {
    let (words, bytes) = (words.withLock { $0 }, bytes.withLock { $0 })
    var leaks: Set<String> = []
    for sight in sights.withLock({ $0 }) {
      for word in words where sight.text.contains(word) { leaks.insert("\(sight.object) at \(sight.moment): \(word)") }
      let numbers = Self.numbers(sight.text)
      for (name, secret) in bytes where numbers.contains(secret.prefix(16).map(String.init).joined(separator: ",")) {
        leaks.insert("\(sight.object) at \(sight.moment): \(name)")
      }
    }
    return leaks
  }

  /// The numbers of a text, whatever stands between them: so an array of bytes looks the same printed and dumped.
  private static func numbers(_ text: String) -> String {
    text.split { !$0.isASCII || !$0.isNumber }.joined(separator: ",")
  }
}

/// A key store in memory whose private keys a watch knows. Reflected, it is what it keeps them in.
struct WatchedKeys: KeyStore, CustomReflectable {
  let memory = MemoryKeyStore()
  let watch: Watch

  var protection: KeyProtection { memory.protection }
  var customMirror: Mirror { Mirror(self, children: ["memory": memory]) }

  func generate(tag: String, role: KeyRole, binding: KeyBinding?) throws(KeyStoreError) -> PublicKey {
    let key = Array(P256.Signing.PrivateKey().rawRepresentation)
    watch.hide("the private key \(role.rawValue)", key)
    return try memory.add(privateKey: key, tag: tag, role: role, binding: binding)
  }

  func publicKey(tag: String) throws(KeyStoreError) -> PublicKey? { try memory.publicKey(tag: tag) }
  func state(tag: String) -> KeyState { memory.state(tag: tag) }
  func sign(_ message: [UInt8], tag: String, receipt: VerificationReceipt?) throws(KeyStoreError) -> [UInt8] {
    try memory.sign(message, tag: tag, receipt: receipt)
  }
  func delete(tag: String) throws(KeyStoreError) -> Bool { try memory.delete(tag: tag) }
  func tags() throws(KeyStoreError) -> [String] { try memory.tags() }
}
