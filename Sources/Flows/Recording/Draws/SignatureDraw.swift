// A signature by a key that stays outside the flow.

import EventStore
import Foundation

enum SignatureDraw {
  /// The signature of a `message` under a `key` of the key seam, in base64, or why it failed.
  static func take(_ input: JSON, _ environment: FlowEnvironment) -> Result<JSON, DrawFailure> {
    guard let key = input["key"]?.string, let message = input["message"]?.string else {
      return .failure(DrawFailure(.failed, "a signature needs a key and a message"))
    }
    do throws(SigningKeyError) {
      let signature = try environment.keys.sign(Array(message.utf8), with: key)
      return .success(.string(Data(signature).base64EncodedString()))
    } catch {
      return .failure(DrawFailure(error))
    }
  }
}

extension DrawFailure {
  /// Converts a failed key operation to the failure of a draw.
  init(_ error: SigningKeyError) {
    switch error {
    case .notFound(let key): self.init(.missing, "there is no key '\(key)'")
    case .exists(let key): self.init(.failed, "there is a key '\(key)' already")
    case .cancelled: self.init(DrawFailure.Reason.cancelled)
    case .lockedOut: self.init(DrawFailure.Reason.lockedOut)
    case .invalidated(let key): self.init(.invalidated, "the key '\(key)' counts no more")
    case .failed(let key): self.init(.failed, "the key '\(key)' could not sign")
    }
  }
}
