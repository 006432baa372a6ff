// The device seam: an org recognizes a returning device by a persistent value (idx §3.1).

public import Foundation

/// Provides the value that a device is recognized by. A server that signs in its users must give each browser its own
/// device: to the org, users who share one are the same device.
public protocol DeviceIdentity: Sendable {
  /// The value of the `DT` cookie for the org of an issuer: 1 to 32 letters, digits and characters of base64 (`+/=-_`).
  /// Any other value is not sent, because it could add another cookie, and the log contains a `draw.made` of null.
  func token(for issuer: String) -> String
}

/// What a `DT` cookie may hold.
package enum DeviceToken {
  /// The token, if it can be sent; nil for anything else.
  package static func checked(_ token: String) -> String? {
    let isFit =
      (1...32).contains(token.utf8.count)
      && token.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="),
          UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    return isFit ? token : nil
  }
}

/// A device with an id from the application: the same for every org. Keep one for each browser, in its session.
public struct FixedDevice: DeviceIdentity {
  /// The 16 bytes of the id in base64, 24 characters.
  public let token: String

  /// A device of this id.
  public init(_ id: UUID) {
    let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = id.uuid
    token = Data([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]).base64EncodedString()
  }

  /// The same token for every issuer.
  public func token(for issuer: String) -> String { token }
}
