// What an application may choose about its connections. Defaults are the safe ones.

extension CurlTransport {
  /// How a transport connects, verifies and limits.
  public struct Configuration: Sendable, Hashable {
    /// Which authorities may have signed a server's certificate.
    public enum CertificateAuthorities: Sendable, Hashable {
      /// Those the system trusts.
      case system
      /// Those in this file of PEM certificates, and no others.
      case file(String)
      /// Those in these bytes, PEM certificates, and no others.
      case pem([UInt8])
    }

    /// Which HTTP to speak.
    public enum HTTPVersion: Sendable, Hashable {
      /// HTTP/2 if the server offers it in the TLS handshake, HTTP/1.1 otherwise and in clear text.
      case negotiated
      /// HTTP/1.1 always.
      case http1
      /// HTTP/2 from the first byte, in clear text too; a server without it is a failure.
      case priorKnowledge2
    }

    /// The way to the server.
    public enum Proxy: Sendable, Hashable {
      /// Straight, whatever the environment says.
      case none
      /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
      case environment
      /// Through the proxy at this URL, for every host.
      case url(String)
    }

    /// How long a request may take in all, from `send` on: queueing, look-up, connection, body. 60 seconds by default.
    public var timeout: Duration = .seconds(60)
    /// How long look-up, connection and TLS handshake may take of that. 10 seconds by default.
    public var connectTimeout: Duration = .seconds(10)
    /// The largest body, in bytes after decoding. 16 MiB by default.
    public var maximumResponseBytes: Int = 16 << 20
    /// The largest sum of status and header lines, in bytes; those of interim responses and trailers count too. 64 KiB
    /// by default.
    public var maximumHeadBytes: Int = 64 << 10
    /// How many such lines there may be. 256 by default.
    public var maximumHeadLines: Int = 256
    /// Whether requests may leave for other machines without TLS. They carry passwords: `false` by default, and such a
    /// URL ends as `tlsFailed` before anything is sent. Loopback (`localhost`, 127.0.0.0/8, `[::1]`) needs no
    /// permission.
    public var allowsClearText = false
    /// Whose certificates are trusted. The system's by default.
    public var certificateAuthorities: CertificateAuthorities = .system
    /// The public keys that the server's certificate may have, in libcurl's form `sha256//BASE64[;sha256//BASE64…]`,
    /// checked beside the certificate chain. With a pin, requests in clear text are refused. None by default.
    public var pinnedPublicKey: String?
    /// Which HTTP to speak. Negotiated by default.
    public var httpVersion: HTTPVersion = .negotiated
    /// The way to the server. Straight by default: nothing is taken from the environment.
    public var proxy: Proxy = .none
    /// How many connections to one host may be open at once; further requests wait. 0 sets no limit. 8 by default.
    public var maxConnectionsPerHost: Int = 8
    /// How many connections stay open for later requests; 0 closes each after its request. 16 by default.
    public var maxIdleConnections: Int = 16
    /// How long a connection may have been idle to be used again. 118 seconds by default, as libcurl has it: servers
    /// commonly close after 120.
    public var idleLifetime: Duration = .seconds(118)

    /// The defaults.
    public init() {}
  }
}
