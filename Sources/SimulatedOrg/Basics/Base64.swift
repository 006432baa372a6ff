// Standard base64 with padding (RFC 4648 §4).

import Foundation

enum Base64 {
  static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
