// An HTTPS server with a certificate of a private authority: nginx on loopback, keys made by openssl, all in a folder
// of its own.

import Foundation

/// nginx on 127.0.0.1 and 127.0.0.2, HTTP/1.1 and HTTP/2 by choice of the client; its certificate is for `localhost`
/// and 127.0.0.1. `/who` answers with the protocol and the number of the connection, `/app` passes on to a server.
final class TLSServer: Sendable {
  /// Whether nginx and openssl are there.
  static let isAvailable = tool("nginx") != nil && tool("openssl") != nil

  let port: UInt16
  /// The certificate of the authority.
  let authority: String
  /// The certificate of another authority, which has signed nothing here.
  let stranger: String
  /// The pin of the server's key, in libcurl's form.
  let pin: String
  private let shell: Shell

  /// Makes keys and starts nginx; it listens when this returns.
  static func start(passingOnTo app: UInt16 = 9) async throws -> TLSServer {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try TLSServer(app) }) }
    }
  }

  private init(_ app: UInt16) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flows-tls-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = try LoopbackServer.refusedPort()
    authority = folder.appending(path: "ca.pem").path
    stranger = folder.appending(path: "other.pem").path
    try Self.configuration(port, app).write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
    shell = try Shell(
      script: Self.script, arguments: [folder.path, Self.tool("openssl") ?? "", Self.tool("nginx") ?? ""])
    pin = try shell.readLine()
  }

  /// An absolute URL on this server.
  func url(_ path: String, host: String = "127.0.0.1") -> String { "https://\(host):\(port)\(path)" }

  private static func tool(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return (path.split(separator: ":").map(String.init) + ["/usr/sbin"]).map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// nginx opens its sockets before its first process ends: afterwards it listens, and the pin is printed. It ends, and
  /// its folder goes, when the test closes the shell's input or is no more.
  private static let script = """
    cd "$1"
    exec 2>start.log
    trap 'rm -rf "$PWD"' EXIT
    openssl=$2 nginx=$3
    curve='ec -pkeyopt ec_paramgen_curve:P-256'
    for name in ca other; do
      $openssl req -x509 -newkey $curve -nodes -keyout $name.key -out $name.pem -days 2 -subj "/CN=Test $name" \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
    done
    $openssl req -newkey $curve -nodes -keyout server.key -out server.csr -subj /CN=localhost
    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth' >extensions
    $openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out server.pem -extfile extensions
    $openssl x509 -in server.pem -pubkey -noout | $openssl pkey -pubin -outform der -out public.der
    $nginx -p "$PWD" -e error.log -c nginx.conf >/dev/null
    printf 'sha256//%s\n' "$($openssl dgst -sha256 -binary public.der | $openssl base64)"
    cat >/dev/null
    kill "$(cat nginx.pid)"
    """

  private static func configuration(_ port: UInt16, _ app: UInt16) -> String {
    """
    pid nginx.pid;
    error_log error.log;
    worker_processes 1;
    \(geteuid() == 0 ? "user root;" : "")
    events { worker_connections 256; }
    http {
      access_log off;
      client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
      scgi_temp_path scgi;
      server {
        listen 127.0.0.1:\(port) ssl http2;
        listen 127.0.0.2:\(port) ssl http2;
        ssl_certificate server.pem;
        ssl_certificate_key server.key;
        location /who { return 200 "$server_protocol $connection"; }
        location /app { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://127.0.0.1:\(app); }
      }
    }
    """
  }
}
