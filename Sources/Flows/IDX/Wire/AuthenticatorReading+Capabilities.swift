// The capabilities of an authenticator beyond its remediations (idx §8, §18).

import EventStore

extension AuthenticatorReading {
  /// The QR code to scan, if its image is part of the response (§8.7).
  var qrCode: (mimeType: String, base64: Substring)? {
    guard type == "app", hasMethod(["otp", "totp"]), let code = contextualData?["qrcode"],
      code["method"]?.string == "embedded", let mimeType = code["type"]?.string, !mimeType.isEmpty,
      let href = code["href"]?.string, href.utf8.starts(with: "data:image/".utf8), let data = Self.base64(of: href)
    else { return nil }
    return (mimeType, data)
  }

  /// Returns what follows `;base64,` in a data URL.
  private static func base64(of url: String) -> Substring? {
    let mark = Array(";base64,".utf8)
    var index = url.utf8.startIndex
    while let semicolon = url.utf8[index...].firstIndex(of: UInt8(ascii: ";")) {
      if url.utf8[semicolon...].starts(with: mark) {
        return url[url.utf8.index(semicolon, offsetBy: mark.count)...]
      }
      index = url.utf8.index(after: semicolon)
    }
    return nil
  }

  /// The data for a Duo prompt (§8.8).
  var duo: (host: String, signedToken: String, script: String)? {
    guard type == "app", hasMethod(["duo"]),
      let data = members.first(where: { $0["key"]?.string == "duo" && $0["contextualData"]?.object != nil })?[
        "contextualData"],
      let host = data["host"]?.string, let token = data["signedToken"]?.string, let script = data["script"]?.string
    else { return nil }
    return (host, token, script)
  }

  /// The number to choose on the device (§8, 9).
  var correctAnswer: String? {
    members.lazy.compactMap { $0["contextualData"]?["correctAnswer"] }.first { $0 != .null }?.string
  }

  /// The password rules (§8.6).
  var passwordSettings: JSON? {
    guard type == "password", let settings, settings["complexity"]?.object != nil else { return nil }
    return settings
  }

  /// The names of its capabilities, sorted.
  package var capabilities: [String] {
    let all = [
      ("duo", duo != nil), ("numberChallenge", correctAnswer != nil), ("otp", qrCode != nil),
      ("passwordSettings", passwordSettings != nil), ("poll", form("poll") != nil), ("profile", profile != nil),
      ("recover", form("recover") != nil), ("resend", form("resend") != nil), ("send", form("send") != nil),
    ]
    return all.filter(\.1).map(\.0)
  }
}
