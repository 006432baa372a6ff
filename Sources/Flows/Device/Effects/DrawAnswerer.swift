// Answers the draws of one flow that take their time: keys, storage, the person.

package import EventStore
package import FlowRecording
import Foundation

/// Answers the awaited draws of one flow.
///
/// It keeps what a verifier released between the verification and the signature, in memory alone: no log and no state
/// has it.
package final class DrawAnswerer: Sendable {
  private let services: DeviceServices
  private let clock: any FlowClock
  private let stream: String
  private let receipt = Locked<VerificationReceipt?>(nil)
  /// Key stores and storage may block; they do it here, one after the other within a flow.
  private let queue = DispatchQueue(label: "flowrecorder.device")

  /// Answers the draws of a stream by these services.
  package init(services: DeviceServices, clock: any FlowClock, stream: String) {
    self.services = services
    self.stream = stream
    self.clock = clock
  }

  /// Answers a draw, once, on a thread of its own.
  ///
  /// - Parameters:
  ///   - kind: what is asked for.
  ///   - input: what is given for it, secrets revealed.
  package func answer(
    _ kind: DrawKind, _ input: JSON, _ answer: @escaping @Sendable (Result<JSON, DrawFailure>) -> Void
  ) {
    switch kind {
    case .deviceVerifyToken: Task { [self] in answer(.success(await verifyToken(input))) }
    case .deviceVerifyPerson: Task { [self] in answer(.success(await verifyPerson(input))) }
    case .deviceMakeKeys: queue.async { [self] in answer(makeKeys(input)) }
    case .deviceSign: queue.async { [self] in answer(sign(input)) }
    case .deviceDropKeys: queue.async { [self] in answer(dropKeys(input)) }
    case .deviceStore: queue.async { [self] in answer(services.store(input, by: stream)) }
    case let other: answer(.failure(DrawFailure(.missing, "nothing answers '\(other)'")))
    }
  }

  private func verifyToken(_ input: JSON) async -> JSON {
    let kid = input["kid"]?.string ?? ""
    let keys = input["keys"]?.array ?? []
    if input["fetched"]?.bool == true, let issuer = input["issuer"]?.string {
      services.keyCache.keep(keys, of: issuer, lookingFor: kid, at: clock.now())
    }
    return await TokenVerifier.value(token: input["token"]?.string ?? "", kid: kid, keys: keys)
  }

  private func verifyPerson(_ input: JSON) async -> JSON {
    let request = VerificationRequest(
      reason: input["reason"]?.string ?? "Confirm that it is you", cancelTitle: input["cancelTitle"]?.string,
      fallbackTitle: input["fallbackTitle"]?.string,
      timeLimit: input["milliseconds"]?.int.map { Double($0) / 1_000 })
    switch await services.verifier.verify(request) {
    case .verified(let released):
      receipt.withLock { $0 = released }
      return ["outcome": "verified", "method": .string(released.method.rawValue)]
    case .cancelled: return ["outcome": "cancelled"]
    case .failed: return ["outcome": "failed"]
    case .lockedOut: return ["outcome": "lockedOut"]
    case .notSetUp: return ["outcome": "notSetUp"]
    case .timedOut: return ["outcome": "timedOut"]
    }
  }

  private func makeKeys(_ input: JSON) -> Result<JSON, DrawFailure> {
    var made: [JSON] = []
    let released = receipt.withLock { $0 }
    do throws(KeyStoreError) {
      for key in input["keys"]?.array ?? [] {
        guard let tag = key["tag"]?.string, let role = key["role"]?.string.flatMap(KeyRole.init) else { continue }
        var binding: KeyBinding?
        if role == .userVerification {
          guard let released else { throw .notVerified(tag: tag) }
          binding = KeyBinding(released)
        }
        let made_ = try services.keys.generate(tag: tag, role: role, binding: binding)
        made.append([
          "tag": .string(tag), "role": .string(role.rawValue),
          "jwk": made_.jwk(tag: tag, protection: services.keys.protection), "thumbprint": .string(made_.thumbprint),
        ])
      }
      return .success(["keys": .array(made)])
    } catch {
      // What was made before the failure is of no use to anybody.
      for tag in made.compactMap({ $0["tag"]?.string }) { _ = try? services.keys.delete(tag: tag) }
      return .failure(DrawFailure(error))
    }
  }

  private func sign(_ input: JSON) -> Result<JSON, DrawFailure> {
    let isBound = input["bound"]?.bool == true
    let released: VerificationReceipt? = isBound ? receipt.withLock { $0 } : nil
    let text = CompactJWS.signingInput(header: input["header"] ?? [:], claims: input["claims"] ?? [:])
    do throws(KeyStoreError) {
      let tag = input["tag"]?.string ?? ""
      let signature = try services.keys.sign(Array(text.utf8), tag: tag, receipt: released)
      guard signature.count == 64 else {
        return .failure(DrawFailure(.failed, "failedToSignPayload: a signature of \(signature.count) bytes"))
      }
      return .success(["jwt": .string(text + "." + Base64URL.encode(signature))])
    } catch {
      return .failure(DrawFailure(error))
    }
  }

  private func dropKeys(_ input: JSON) -> Result<JSON, DrawFailure> {
    var deleted: [JSON] = []
    do throws(KeyStoreError) {
      for tag in (input["tags"]?.array ?? []).compactMap(\.string) where try services.keys.delete(tag: tag) {
        deleted.append(.string(tag))
      }
      return .success(["deleted": .array(deleted)])
    } catch {
      return .failure(DrawFailure(error))
    }
  }
}
