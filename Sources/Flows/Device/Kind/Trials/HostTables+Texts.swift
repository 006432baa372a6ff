// What values print, the messages of clients as they are shown, and times of challenges at the limits of numbers.

import EventStore
import FlowRecording
import Foundation

extension HostTables {
  static var texts: [String] { printed + messages + times }

  private static var printed: [String] {
    let plain = ServerAPIErrorModel(errorCode: .userDeleted, errorSummary: "gone", status: "REJECT")
    let masked = ServerAPIErrorModel(
      ["errorCode": "E0000156", "errorSummary": "gone", "status": "REJECT"],
      recorded: ["errorCode": "E0000156", "errorSummary": "$secret.a.1$"])
    let models: [ServerAPIErrorModel?] = [
      plain, masked, ServerAPIErrorModel(errorCode: .unknown("E1")), ServerAPIErrorModel(status: "REJECT"),
      ServerAPIErrorModel(errorSummary: "gone", status: "REJECT"), ServerAPIErrorModel(),
    ]
    let results = [HTTPURLResult(statusCode: 204), HTTPURLResult(statusCode: 400, data: Data([1, 2, 3]))]
    let errors: [SecurityError] = [
      .dataEncryptionDecryptionError(Reason(description: "why")), .dataEncryptionDecryptionError(nil),
      .generalEncryptionError(-7, nil, ""), .keyGenFailed(0, ""),
    ]
    let credentials = [
      Oauth2Credential(access_token: "secret-a", token_type: "Bearer"),
      Oauth2Credential(access_token: "secret-a", token_type: "DPoP", refresh_token: "secret-r", scope: "s t"),
    ]
    var shown = models.map { Printed.text($0) }
    shown += results.map { Printed.text($0) }
    shown += credentials.map { Printed.text($0) }
    shown += errors.map { "\($0.name) \($0.errorDescription ?? "-")" }
    for result in results {
      shown += models.map { DeviceAuthenticatorError.serverAPIError(result, $0).description }
    }
    let same = models.map { one in models.map { one == $0 } }
    let lines = shown.enumerated().map { line("printed \($0)", $1) }
    return lines + [line("domain", DeviceAuthenticatorError.errorDomain), line("same", "\(same)")]
  }

  /// Messages with encoded bytes, as they are shown here and in the reference.
  private static var messages: [String] {
    let texts = [
      "", "plain", "%c3%a9", "%C3%A9", "%c3%A9", "%e2%80%aeabc", "100%", "100%2", "100%25", "%zz", "%ag", "%g0", "%aF1",
      "%f0%9f%98%80", "%ff", "%c3", "a%2fb%2Fc", "%0a%09%1f%20", "%7f%c2%80%c2%9f%c2%a0", "a+b", "%d8%9c%e2%80%8b",
      "%e2%80%8e%e2%80%8f%e2%80%90", "%e2%80%a7%e2%80%a8%e2%80%af", "%e2%81%a5%e2%81%a6%e2%81%a9%e2%81%aa",
      "%ef%bb%bf", "\u{202E}abc", "%%41",
    ]
    return texts.map { text in
      let shown = [false, true].map { isReference -> String in
        guard let message = BindingMessage.shown(text, asReference: isReference) else { return "none" }
        return "\(message.unicodeScalars.map(\.value))"
      }
      return line("message \(text)", shown.joined(separator: " "))
    }
  }

  /// The times in a challenge, and its end with each skew.
  private static var times: [String] {
    let values: [JSON] = [
      .null, -1, 0, 1, 1_768_467_941, 253_402_300_799, 253_402_300_800, .int(.max), .int(.min), "5", "-5", "x", "",
      .number("1.5"), .number("1e3"), true,
    ]
    let skews = [Int.min, -1, 0, 1, 300, Int.max - 253_402_300_799, Int.max]
    return values.map { value in
      let claims = HostSamples.with(["exp": value, "iat": value], in: HostSamples.claims)
      let challenge = Challenge(header: HostSamples.header(), claims: claims)
      let ends = skews.map { challenge.endMicroseconds(skew: $0) }
      return line("time \(value.text)", "\(challenge.issuedAt) \(challenge.expiresAt) \(ends)")
    }
  }
}
