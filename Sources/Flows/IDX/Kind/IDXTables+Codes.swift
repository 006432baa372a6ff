// Which QR codes are read from an authenticator.

import EventStore
import FlowRecording
import Foundation

extension IDXKind {
  static var scanned: Set<String> {
    let images = [
      "data:image/png;base64,QUI=", "data:image/png;base64,QUI", "data:image/png;base64,Q U\nI=",
      "data:image/png;base64,", "data:image/png;base64", "data:image/png,QUI=", "data:image/png;",
      "data:image/png;charset=x;base64,QUI=", "data:image/png;;base64,QUI=", "data:text/plain;base64,QUI=",
      "DATA:image/png;base64,QUI=", ";base64,QUI=", "https://acme.example/qr.png", "",
    ]
    let codes = images.map { code(["method": "embedded", "type": "image/png", "href": .string($0)]) }
    let image = JSON.string(images[0])
    let others: [JSON] = [
      code(["method": "link", "type": "image/png", "href": image]), code(["type": "image/png", "href": image]),
      code(["method": "embedded", "type": "", "href": image]), code(["method": "embedded", "href": image]),
      code(["method": "embedded", "type": "image/png"]), code("code"),
    ]
    let whole: JSON = ["method": "embedded", "type": "image/svg+xml", "href": image]
    let owners: [JSON] = [
      code(whole, "totp"), code(whole, "push"), code(whole, type: "phone"), code(whole, secret: "JBSWY3DP"),
      ["type": "app", "methods": [["type": "otp"]]],
    ]
    return Set(
      (codes + others + owners).map { member in
        let reading = AuthenticatorReading(paths: ["$.currentAuthenticator"], members: [member], state: .enrolling)
        let shown = Capability.OTP(reading)
        let bytes = shown.map { "\($0.mimeType) \(Array($0.imageData)) \($0.sharedSecret ?? "-")" } ?? "-"
        let read = reading.qrCode.map { "\($0.mimeType) \($0.base64)" } ?? "-"
        return "\(member.text)|\(read)|\(bytes)|\(reading.capabilities)|\(Printed.text(shown))"
      })
  }

  /// An authenticator with a code.
  private static func code(
    _ code: JSON, _ method: String = "otp", type: String = "app", secret: String? = nil
  ) -> JSON {
    let data = JSON.members([("qrcode", code), ("sharedSecret", secret.map(JSON.string))])
    return ["type": .string(type), "methods": [["type": .string(method)]], "contextualData": data]
  }
}
