// The settings for an application's connections. The defaults are safe.

extension CurlTransport {
  /// How a transport connects, verifies servers, and limits requests.
  public struct Configuration: Sendable, Hashable {
    /// The certificate authorities that are trusted to sign a server's certificate.
    public enum CertificateAuthorities: Sendable, Hashable {
      /// The authorities that the system trusts.
      case system
      /// Only the authorities in this file of PEM certificates.
      case file(String)
      /// Only the authorities in these bytes of PEM certificates.
      case pem([UInt8])
    }

    /// The version of HTTP.
    public enum HTTPVersion: Sendable, Hashable {
      /// HTTP/2 if the server offers it in the TLS handshake; otherwise, and without TLS, HTTP/1.1.
      case negotiated
      /// Always HTTP/1.1.
      case http1
      /// HTTP/2 from the first byte, even without TLS. A server that does not support it causes a failure.
      case priorKnowledge2
    }

    /// How to reach the server.
    public enum Proxy: Sendable, Hashable {
      /// Directly, regardless of the environment.
      case none
      /// According to `http_proxy`, `https_proxy`, `all_proxy`, and `no_proxy`.
      case environment
      /// Through the proxy at this URL, for every host.
      case url(String)
    }

    /// The time limit for a complete request, from `send` on: queueing, lookup, connection, and body. 60 seconds by
    /// default.
    public var timeout: Duration = .seconds(60)
    /// The part of it that lookup, connection, and TLS handshake may take. 10 seconds by default.
    public var connectTimeout: Duration = .seconds(10)
    /// The maximum size of a body, in bytes after decoding. 16 MiB by default.
    public var maximumResponseBytes: Int = 16 << 20
    /// The maximum total size of status and header lines, in bytes, including those of interim responses and trailers.
    /// 64 KiB by default.
    public var maximumHeadBytes: Int = 64 << 10
    /// The maximum number of such lines. 256 by default.
    public var maximumHeadLines: Int = 256
    /// Whether requests to other machines may be sent without TLS. Because requests carry passwords, this is `false` by
    /// default, and such a request fails with `tlsFailed` before anything is sent. Loopback (`localhost`, 127.0.0.0/8,
    /// `[::1]`) is always allowed.
    public var allowsClearText = false
    /// The trusted certificate authorities. The system's by default.
    public var certificateAuthorities: CertificateAuthorities = .system
    /// The accepted public keys of the server's certificate, in libcurl's format `sha256//BASE64[;sha256//BASE64…]`,
    /// which are checked in addition to the certificate chain. If set, requests without TLS are rejected. None by
    /// default.
    public var pinnedPublicKey: String?
    /// The version of HTTP. Negotiated by default.
    public var httpVersion: HTTPVersion = .negotiated
    /// How to reach the server. Directly by default: the environment is not used.
    public var proxy: Proxy = .none
    /// The maximum number of open connections to one host; further requests wait. 0 means no limit. 8 by default.
    public var maxConnectionsPerHost: Int = 8
    /// The number of connections kept open for later requests; 0 closes each one after its request. 16 by default.
    public var maxIdleConnections: Int = 16
    /// The longest idle time after which a connection is reused. 118 seconds by default, as in libcurl, because servers
    /// commonly close connections after 120.
    public var idleLifetime: Duration = .seconds(118)

    /// Creates a configuration with the defaults.
    public init() {}
  }
}
