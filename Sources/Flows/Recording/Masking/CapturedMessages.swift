// Messages that another tool captured, masked as if they had been recorded.

package import EventStore

/// Masks captured requests and responses by the policy of a kind. Secrets in a request are recognized in later
/// messages.
package struct CapturedMessages {
  private let masker: Masker
  private var vault = Vault()

  /// Masks by a policy.
  package init(policy: MaskingPolicy) { masker = Masker(policy: policy) }

  /// Masks the settings of a flow.
  package mutating func settings(_ settings: JSON) -> JSON {
    masker.mask(settings, as: masker.policy.settings, into: &vault)
  }

  /// Masks a request. Only the headers about its format are kept; the others are dropped because they may be secrets.
  package mutating func request(_ request: HTTPRequest) -> RequestSent {
    for field in request.headers { learn(field) }
    let headers = request.headers.filter { ["accept", "content-type"].contains($0.name.lowercased()) }
    let isForm = headers.contains {
      $0.name.lowercased() == "content-type" && $0.value.lowercased().hasPrefix("application/x-www-form-urlencoded")
    }
    var content: (json: JSON, schema: WireSchema)?
    if let bytes = request.body, !bytes.isEmpty {
      let json = isForm ? FormFields.members(of: bytes) : try? JSON(parsing: bytes)
      let text = JSON.string(String(decoding: bytes, as: UTF8.self))
      content = (json ?? text, json == nil ? .secret("body") : masker.policy.arguments)
    }
    if let content { _ = masker.mask(content.json, as: content.schema, into: &vault) }
    let url = URLMasking.rewrite(request.url, policy: masker.policy, vault: &vault)
    // Once more, because the URL has secrets that the body may quote.
    let body = content.map { masker.mask($0.json, as: $0.schema, into: &vault) }
    return RequestSent(
      method: request.method, url: url,
      headers: headers.map { HTTPField($0.name, masker.mask(.string($0.value), as: .text, into: &vault).string ?? "") },
      body: body, encoding: isForm ? .form : .json)
  }

  /// Adds the secrets of a request header, so that they are recognized in answers that quote them.
  private mutating func learn(_ field: HTTPField) {
    let word = field.name.lowercased()
    switch word {
    case "authorization", "proxy-authorization":
      for secret in field.credentials { learn(secret, as: "authorization") }
    case "dpop": learn(field.value, as: word)
    case "cookie":
      for cookie in field.cookies { cookie.addValue(as: word, to: &vault) }
    default: break
    }
  }

  private mutating func learn(_ secret: String, as kind: String) {
    guard !secret.isEmpty else { return }
    _ = vault.placeholder(for: .string(secret), kind: kind, taints: secret.utf8.count >= 4)
  }

  /// Masks a response as the SDK records it.
  package mutating func response(_ response: HTTPResponse) -> ResponseReceived {
    masker.mask(response, into: &vault)
  }
}

extension HTTPField {
  /// The secrets of a header of authorization that other text may quote without the rest; empty for any other header.
  var credentials: [String] {
    guard ["authorization", "proxy-authorization"].contains(name.lowercased()) else { return [] }
    // Without the scheme (RFC 9110 §11.4).
    let parts = value.split(separator: " ", maxSplits: 1)
    guard let credentials = parts.last.map(String.init) else { return [] }
    // For `Basic` (RFC 7617), also the password alone.
    guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = AuthenticatedBox.bytes(credentials),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let password = String(validating: bytes[(colon + 1)...], as: UTF8.self)
    else { return [credentials] }
    return [credentials, password]
  }

  /// The cookies of a `Cookie` header that other text may quote, each as a server would have set it; empty for any
  /// other header. Short values, such as a language, are not identifying and occur in other text.
  var cookies: [SetCookie] {
    guard name.caseInsensitivelyEquals("Cookie") else { return [] }
    return value.split(separator: ";").compactMap { pair in
      guard let cookie = SetCookie(String(pair)), cookie.value.utf8.count >= NeedleIndex.longBytes else { return nil }
      return cookie
    }
  }
}

/// Reads forms (WHATWG URL §5.1).
package enum FormFields {
  /// The fields of a form as members of an object, in order.
  package static func members(of bytes: [UInt8]) -> JSON {
    .object(
      JSONObject(
        bytes.split(separator: UInt8(ascii: "&")).map { pair in
          let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
          return JSONObject.Member(
            key: decoded(parts[0]), value: .string(parts.count > 1 ? decoded(parts[1]) : ""))
        }))
  }

  /// A part of a form without its percent-encoding, `+` as a space.
  package static func decoded(_ text: some Sequence<UInt8>) -> String {
    var out: [UInt8] = []
    var bytes = Array(text)[...]
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "+") {
        out.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), bytes.count >= 2, let high = TextDecoding.hex(bytes[bytes.startIndex]),
        let low = TextDecoding.hex(bytes[bytes.startIndex + 1])
      {
        out.append(high << 4 | low)
        bytes = bytes.dropFirst(2)
      } else {
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
