// Rejects requests that must not reach libcurl, because a part of them would change the meaning of the surrounding
// bytes.

extension HTTPRequest {
  /// Returns why this request cannot be sent, or `nil`. A line break inside a field would add a line to the request, a
  /// second length would let two servers disagree about where it ends (RFC 9112 §11.2), and a NUL would truncate it.
  package func refusal(pinned: Bool, allowsClearText: Bool) -> TransportError? {
    guard isAbsoluteURL else { return TransportError(.malformedURL, "The URL is not an absolute http or https URL.") }
    let isEncrypted = URLParts.begins(url.utf8Span.span, with: "https://")
    if pinned, !isEncrypted {
      return TransportError(.tlsFailed, "A public key is pinned, and the URL asks for clear text.")
    }
    if !isEncrypted {
      guard let parts = URLParts(url), !parts.authority.utf8.contains(UInt8(ascii: "@")) else {
        return TransportError(.malformedURL, "The URL has no host, or a user name.")
      }
      guard allowsClearText || parts.isLoopback else {
        return TransportError(
          .tlsFailed, "The URL asks for clear text to another machine; nothing was sent. Use https, or allow it.")
      }
    }
    guard method.isToken else { return TransportError(.other, "The method is not an HTTP method.") }
    // TRACE returns the request, including its secrets; CONNECT opens a tunnel. No sign-in needs either.
    guard !["TRACE", "CONNECT"].contains(method.uppercased()) else {
      return TransportError(.other, "The method is one that is never sent.")
    }
    for field in headers {
      guard field.name.isToken, field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        return TransportError(.other, "A header field has a name or a value that HTTP does not allow.")
      }
      if field.name.caseInsensitivelyEquals("Content-Length") || field.name.caseInsensitivelyEquals("Transfer-Encoding")
      {
        return TransportError(.other, "The request sets \(field.name), which is the transport's to set.")
      }
    }
    return nil
  }

  private var isAbsoluteURL: Bool {
    URLParts.start(of: url.utf8Span.span) != nil
      && url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

extension String {
  /// Compares two texts, ignoring the case of ASCII letters only (RFC 9110 §5.1).
  func caseInsensitivelyEquals(_ other: String) -> Bool {
    let (one, other) = (utf8Span.span, other.utf8Span.span)
    guard one.count == other.count else { return false }
    for index in 0..<one.count
    where one[index] != other[index] && ASCIICase.lowercased(one[index]) != ASCIICase.lowercased(other[index]) {
      return false
    }
    return true
  }

  private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)

  /// Whether the text is a `token` (RFC 9110 §5.6.2).
  fileprivate var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || Self.tokenMarks.contains(byte)
      }
  }
}
