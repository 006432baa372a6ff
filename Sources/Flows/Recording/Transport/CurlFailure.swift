// Converts libcurl's result codes for flows. No text quotes a URL, a host, a header, or a body.

internal import CCurl
internal import CCurlShim

extension TransportError {
  static let notHTTP = TransportError(.malformedResponse, "The server's answer is not HTTP.")
  static let lostAfterSending = TransportError(
    .connectionLost, "The connection broke after the request had been sent, before the whole response was there.")
  static let gaveUp = TransportError(.cancelled, "The request was cancelled.")
  static let tooLate = TransportError(.timedOut, "The request did not end within the time-out.")

  /// Converts the result of a failed transfer. `easy` still has its details; `hasSent` says whether any part of the
  /// request was sent.
  init(_ code: CURLcode, of easy: CurlEasy, hasSent: Bool) {
    switch code {
    case CURLE_URL_MALFORMAT: self.init(.malformedURL, "The URL is not an absolute http or https URL.")
    case CURLE_LOGIN_DENIED: self.init(.malformedURL, "The URL carries a user name; credentials belong into a header.")
    case CURLE_COULDNT_RESOLVE_HOST: self.init(.cannotResolveHost, "The host name cannot be resolved.")
    case CURLE_COULDNT_RESOLVE_PROXY: self.init(.cannotResolveHost, "The proxy's host name cannot be resolved.")
    case CURLE_COULDNT_CONNECT: self.init(.cannotConnect, "No connection to the server: refused or unreachable.")
    case CURLE_PROXY: self.init(.cannotConnect, "The proxy refused the connection.")
    case CURLE_OPERATION_TIMEDOUT: self = .tooLate
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: self = .notHTTP
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
      // The transfer's own rejections were handled before, so this is a decoding failure.
      self.init(.malformedResponse, "The response's body cannot be decoded.")
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      // This includes an invalid chunk size, which libcurl reports like a broken connection.
      self = hasSent ? .lostAfterSending : .lostBeforeSending
    default: self = Self.tls(code, easy) ?? .unexpected(code)
    }
  }

  /// Converts a result code given as a number.
  static func meaning(ofCode number: UInt32, of easy: CurlEasy, hasSent: Bool) -> TransportError {
    TransportError(CURLcode(rawValue: number), of: easy, hasSent: hasSent)
  }

  private static let lostBeforeSending = TransportError(
    .cannotConnect, "The connection broke before the request had been sent.")

  private static func unexpected(_ code: CURLcode) -> TransportError {
    // SAFETY: libcurl returns a static text for every code.
    TransportError(.other, "libcurl failed: \(unsafe String(cString: curl_easy_strerror(code))), \(code.rawValue).")
  }

  private static func tls(_ code: CURLcode, _ easy: CurlEasy) -> TransportError? {
    switch code {
    // libcurl sets 1, which is not an OpenSSL result, until it has also checked the host.
    case CURLE_PEER_FAILED_VERIFICATION where (0...1).contains(easy.chainVerdict):
      TransportError(.tlsFailed, "The server's certificate names another host.")
    case CURLE_PEER_FAILED_VERIFICATION:
      TransportError(.tlsFailed, "The server's certificate is not trusted (OpenSSL verdict \(easy.chainVerdict)).")
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      TransportError(.tlsFailed, "The server's public key is not the pinned one.")
    case CURLE_SSL_CACERT_BADFILE:
      TransportError(.tlsFailed, "The certificate authorities to trust cannot be read.")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED:
      TransportError(.tlsFailed, "The TLS handshake failed.")
    default: nil
    }
  }
}
