// Where draws come from: the environment, or a recording.

public import EventStore
import Crypto
import Foundation

/// Gives a replay its draws.
public protocol DrawSource: Sendable {
  /// The recorded value of a draw.
  ///
  /// - Parameters:
  ///   - kind: what the SDK asks for now.
  ///   - input: what it gives for that, with its secrets revealed.
  ///   - ordinal: how many draws the flow made before.
  ///   - revision: the revision that the draw would have.
  /// - Returns: the value; null where the recording has no such draw there, which the comparison of events reports.
  func draw(_ kind: DrawKind, input: JSON, ordinal: Int, revision: Int) -> JSON
}

/// Draws from the seams of an environment.
struct LiveDraws: DrawSource {
  let environment: FlowEnvironment

  func draw(_ kind: DrawKind, input: JSON, ordinal: Int, revision: Int) -> JSON {
    switch kind {
    case .userAgent: .string(environment.userAgent)
    case .jitter: .int(Int(environment.entropy.next() % 1000))
    case .uuid, .state: .string(environment.entropy.uuid())
    case .signature: signature(input)
    case .pkce: pkce()
    case .deviceToken:
      environment.device.flatMap { DeviceToken.checked($0.token(for: input["issuer"]?.string ?? "")) }.map(JSON.string)
        ?? .null
    default: .null
    }
  }

  /// The signature of a `message` under a `key` of the key seam, in base64; null where there is no such key.
  private func signature(_ input: JSON) -> JSON {
    guard let key = input["key"]?.string, let message = input["message"]?.string,
      let signature = try? environment.keys.sign(Array(message.utf8), with: key)
    else { return .null }
    return .string(Data(signature).base64EncodedString())
  }

  /// 32 random bytes as the verifier, and the hash of its text as the challenge; both base64url without padding.
  private func pkce() -> JSON {
    let bytes = (0..<4).flatMap { _ in
      let bits = environment.entropy.next()
      return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
    }
    let verifier = base64url(bytes)
    return [
      "verifier": .string(verifier),
      "challenge": .string(base64url(Array(SHA256.hash(data: Data(verifier.utf8))))),
    ]
  }

  private func base64url(_ bytes: [UInt8]) -> String {
    let standard = Data(bytes).base64EncodedString()
    return String(
      standard.compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }
}
