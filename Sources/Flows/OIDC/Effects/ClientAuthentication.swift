// How a client with a secret authenticates (RFC 6749 §2.3.1).

import FlowRecording
import Foundation

enum ClientAuthentication {
  /// The value of `Authorization`: both parts form-encoded before they are joined.
  static func basic(id: String, secret: String) -> String {
    let pair = FormEncoding.encoded(id) + ":" + FormEncoding.encoded(secret)
    return "Basic " + Data(pair.utf8).base64EncodedString()
  }
}
