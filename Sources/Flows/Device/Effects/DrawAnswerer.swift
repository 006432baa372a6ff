// Answers the draws of one flow for keys, storage, and the verification of the person.

import EventStore
import FlowRecording
import Foundation

/// The seam through which a device flow's draws are answered; `nil` if no authenticator was built.
enum DeviceSeam: FlowSeam {
  static var live: DrawAnswerer? { nil }
}

/// Answers the draws of one flow.
///
/// It keeps what a verifier released, from the verification until the signature, only in memory: the value never
/// appears in the log or in the state.
final class DrawAnswerer: Sendable {
  /// The services that the flow uses.
  let services: DeviceServices
  private let receipt = Locked<VerificationReceipt?>(nil)
  /// Key stores and storage may block. They run on the draw's thread, one at a time within a flow.
  private let order = NSLock()

  /// Creates an answerer that uses the given services.
  init(services: DeviceServices) { self.services = services }

  /// Answers an awaited draw.
  ///
  /// - Parameters:
  ///   - kind: the kind of the draw.
  ///   - input: the draw's input, with secrets in clear.
  ///   - environment: the flow's seams.
  func answer(_ kind: DrawKind, _ input: JSON, _ environment: FlowEnvironment) async -> Result<JSON, DrawFailure> {
    switch kind {
    case .deviceVerifyToken: return .success(await verifyToken(input, at: environment.clock.now()))
    case .deviceVerifyPerson: return .success(await verifyPerson(input))
    case .deviceSignals: return .success(await services.collect(input, at: environment.clock.now()))
    case .deviceMakeKeys: return order.withLock { makeKeys(input) }
    case .deviceSign: return order.withLock { sign(input) }
    case .deviceDropKeys: return order.withLock { dropKeys(input) }
    case .deviceStore: return order.withLock { services.store(input, by: environment.stream ?? "") }
    case let other: return .failure(DrawFailure(.missing, "nothing answers '\(other)'"))
    }
  }

  private func verifyToken(_ input: JSON, at now: Timestamp) async -> JSON {
    let kid = input["kid"]?.string ?? ""
    let keys = input["keys"]?.array ?? []
    if input["fetched"]?.bool == true, let issuer = input["issuer"]?.string {
      services.keyCache.keep(keys, of: issuer, lookingFor: kid, at: now)
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
      // The keys created before the failure are useless.
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

  /// Destroys every key that can be destroyed, even if others fail.
  private func dropKeys(_ input: JSON) -> Result<JSON, DrawFailure> {
    var (deleted, kept): ([JSON], [JSON]) = ([], [])
    var first: KeyStoreError?
    for tag in (input["tags"]?.array ?? []).compactMap(\.string) {
      do throws(KeyStoreError) {
        if try services.keys.delete(tag: tag) { deleted.append(.string(tag)) }
      } catch {
        first = first ?? error
        kept.append(.string(tag))
      }
    }
    if let first, deleted.isEmpty { return .failure(DrawFailure(first)) }
    return .success(.members([("deleted", .array(deleted)), ("kept", kept.isEmpty ? nil : .array(kept))]))
  }
}
