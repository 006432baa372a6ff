import Crypto
import EventStore
import FlowRecording
import Foundation
import Testing

/// DESIGN §2 rule 3: what is computed from a secret is a draw, on the real value; the log has a placeholder.
@Suite struct SignatureDrawTests {
  @Test("a signature is made outside of the core, over the revealed message, and masked")
  func signature() throws {
    let keys = SoftwareKeys()
    let publicKey = try P256.Signing.PublicKey(x963Representation: keys.makeKey(id: "device"))
    let recorder = MemoryRecorder()
    let flow = Flow<SigningCore>(environment: FlowEnvironment(recorder: recorder, keys: keys), settings: [:])
    flow.call("sign", arguments: ["nonce": "nonce-of-the-org"], on: nil, sink: CallSink { _, _ in })

    let records = recorder.records(of: flow.stream)
    let draw = try #require(records.first { $0.event.type == "draw.made" })
    #expect(draw.event.data["value"] == "$secret.signature.1$")
    #expect(records.first { $0.event.type == "call.made" }?.event.data["arguments"]?["nonce"] == "$secret.nonce.1$")
    #expect(SigningCore.folding(records) == flow.core)

    let text = flow.vault.reveal("$secret.signature.1$")
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(Data(base64Encoded: text)))
    #expect(publicKey.isValidSignature(signature, for: Data("nonce-of-the-org".utf8)))
  }

  @Test("a key that cannot sign makes a draw that says why, and not a value")
  func noSignature() throws {
    let expected: [(SigningKeyError, String)] = [
      (.notFound("device"), "missing"), (.cancelled("device"), "cancelled"), (.lockedOut("device"), "lockedOut"),
      (.invalidated("device"), "invalidated"), (.failed("device"), "failed"),
    ]
    for (error, reason) in expected {
      let recorder = MemoryRecorder()
      let environment = FlowEnvironment(recorder: recorder, keys: UnwillingKeys(error: error))
      let flow = Flow<SigningCore>(environment: environment, settings: [:])
      flow.call("sign", arguments: ["nonce": "nonce-of-the-org"], on: nil, sink: CallSink { _, _ in })
      let records = recorder.records(of: flow.stream)
      let data = try #require(records.first { $0.event.type == "draw.made" }?.event.data)
      #expect(data["failure"]?["reason"]?.string == reason && data["value"] == nil)
      // The core acts on the reason, and the log has all that it needs to do so again.
      #expect(flow.core.failure?.rawValue == reason && SigningCore.folding(records) == flow.core)
      #expect(
        try FlowEvent(type: "draw.made", version: 1, data: data) == records.first { $0.event.data == data }?.event)
    }
  }
}

/// Keys that fail.
private struct UnwillingKeys: SigningKeys {
  let error: SigningKeyError

  func makeKey(id: String) throws(SigningKeyError) -> [UInt8] { throw error }
  func sign(_ message: [UInt8], with id: String) throws(SigningKeyError) -> [UInt8] { throw error }
}

/// A core of one call: it signs a nonce.
private struct SigningCore: FlowCore {
  static var kind: String { "signing" }
  static var policy: MaskingPolicy {
    MaskingPolicy(
      response: .object([:]), arguments: .object(["nonce": .secret("nonce")]), settings: .object([:]), headers: [:],
      query: [])
  }

  var signature: JSON?
  var failure: DrawFailure.Reason?
  var openCalls: Set<Int> = []
  var snapshotRevision: Int? { nil }
  var awaitedTimers: Set<Int> { [] }
  var isOpen: Bool { false }

  mutating func fold(_ record: FlowRecord) {
    switch record.event {
    case .callMade: openCalls.insert(record.revision)
    case .callReturned(let returned): openCalls.remove(returned.call)
    case .drawMade(let draw):
      switch draw.result {
      case .success(let value): signature = value
      case .failure(let error): failure = error.reason
      }
    default: break
    }
  }

  func decide(_ input: FlowRecord, on snapshot: SigningCore?, draws: Draws) -> [FlowEvent] {
    guard case .callMade(let made) = input.event else { return [] }
    _ = draws(.signature, .members([("key", "device"), ("message", made.arguments["nonce"])]))
    return [.callReturned(CallReturned(call: input.revision, outcome: .done))]
  }
}
