// The challenge of a resource that rejects a bearer token (RFC 6750 §3, RFC 9110 §11.2).

import FlowRecording

/// Reads `WWW-Authenticate`.
enum WWWAuthenticate {
  /// Returns the parameters of the first `Bearer` challenge in a response, in whichever header it is (RFC 9110 §5.3).
  static func bearer(of response: ResponseReceived?) -> [String: String] {
    for field in response?.headers ?? [] where field.name.lowercased() == "www-authenticate" {
      let parameters = bearer(field.value)
      if !parameters.isEmpty { return parameters }
    }
    return [:]
  }

  /// Returns the parameters of the first `Bearer` challenge, keyed by lowercase name; empty if there is none. Other
  /// challenges may come first, and quoted strings may contain commas.
  static func bearer(_ header: String?) -> [String: String] {
    guard let header, header.utf8.count <= 4_096 else { return [:] }
    var rest = Array(header.utf8)[...]
    var scheme = word(&rest).lowercased()
    var parameters: [String: String] = [:]
    while !rest.isEmpty {
      skip(&rest) { $0 == UInt8(ascii: ",") || isBlank($0) }
      let name = word(&rest).lowercased()
      skip(&rest, isBlank)
      guard rest.first == UInt8(ascii: "=") else {
        // The name of the next challenge.
        guard scheme != "bearer" else { break }
        (scheme, parameters) = (name, [:])
        continue
      }
      rest.removeFirst()
      skip(&rest, isBlank)
      let value = rest.first == UInt8(ascii: "\"") ? quoted(&rest) : word(&rest)
      if parameters[name] == nil { parameters[name] = value }
    }
    return scheme == "bearer" ? parameters : [:]
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private static func skip(_ rest: inout ArraySlice<UInt8>, _ isSkipped: (UInt8) -> Bool) {
    rest = rest.drop(while: isSkipped)
  }

  private static func word(_ rest: inout ArraySlice<UInt8>) -> String {
    let word = rest.prefix { !isBlank($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
    rest = rest.dropFirst(word.count)
    return String(decoding: word, as: UTF8.self)
  }

  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String {
    rest.removeFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        text.append(escaped)
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
