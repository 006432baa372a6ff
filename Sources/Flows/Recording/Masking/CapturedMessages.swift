// Messages that another tool captured, as they would have been recorded.

package import EventStore

/// Masks captured requests and responses by the policy of a kind. A secret that a request brings is found in what comes
/// after it.
package struct CapturedMessages {
  private let masker: Masker
  private var vault = Vault()

  /// Masks by a policy.
  package init(policy: MaskingPolicy) { masker = Masker(policy: policy) }

  /// The settings of a flow, secrets replaced.
  package mutating func settings(_ settings: JSON) -> JSON {
    masker.mask(settings, as: masker.policy.settings, into: &vault)
  }

  /// A request. Of its headers those stay that say in which form it is; the others may be secrets, and go.
  package mutating func request(_ request: HTTPRequest) -> RequestSent {
    for field in request.headers { learn(field) }
    let headers = request.headers.filter { ["accept", "content-type"].contains($0.name.lowercased()) }
    let isForm = headers.contains {
      $0.name.lowercased() == "content-type" && $0.value.lowercased().hasPrefix("application/x-www-form-urlencoded")
    }
    var body: JSON?
    if let bytes = request.body, !bytes.isEmpty {
      let json = isForm ? FormFields.members(of: bytes) : try? JSON(parsing: bytes)
      let text = JSON.string(String(decoding: bytes, as: UTF8.self))
      body = masker.mask(json ?? text, as: json == nil ? .secret("body") : masker.policy.arguments, into: &vault)
    }
    let url = URLMasking.rewrite(request.url, policy: masker.policy, vault: &vault)
    return RequestSent(
      method: request.method, url: url,
      headers: headers.map { HTTPField($0.name, masker.mask(.string($0.value), as: .text, into: &vault).string ?? "") },
      body: body, encoding: isForm ? .form : .json)
  }

  /// Takes up the secrets of a header of a request, which are found where answers quote them.
  private mutating func learn(_ field: HTTPField) {
    let word = field.name.lowercased()
    switch word {
    case "authorization", "proxy-authorization":
      // Without the scheme (RFC 9110 §11.4).
      let parts = field.value.split(separator: " ", maxSplits: 1)
      guard let credentials = parts.last else { return }
      learn(String(credentials), as: "authorization")
      // Of `Basic` (RFC 7617) also the password alone.
      guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = AuthenticatedBox.bytes(String(credentials)),
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
        let password = String(validating: bytes[(colon + 1)...], as: UTF8.self)
      else { return }
      learn(password, as: "authorization")
    case "dpop": learn(field.value, as: word)
    case "cookie":
      for pair in field.value.split(separator: ";") {
        // As a server would have set it.
        guard let cookie = SetCookie(String(pair)) else { continue }
        // Short ones, as of a language, say nothing, and are words of other text.
        guard cookie.value.utf8.count >= NeedleIndex.longBytes else { continue }
        learn(String(cookie.value), as: word)
        cookie.addForms(to: &vault)
      }
    default: break
    }
  }

  private mutating func learn(_ secret: String, as kind: String) {
    guard !secret.isEmpty else { return }
    _ = vault.placeholder(for: .string(secret), kind: kind, taints: secret.utf8.count >= 4)
  }

  /// A response, as the SDK records it.
  package mutating func response(_ response: HTTPResponse) -> ResponseReceived {
    masker.mask(response.withinCookieLimits, into: &vault)
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
      } else if byte == UInt8(ascii: "%"), bytes.count >= 2,
        let value = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16)
      {
        out.append(value)
        bytes = bytes.dropFirst(2)
      } else {
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
