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
