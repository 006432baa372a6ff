import Foundation
import Glibc
import Testing

/// TLS that fails in each way there is: nothing of the sign-in leaves.
@Suite struct TLSTests {
  private static func record(_ type: UInt8, _ payload: [UInt8], version: [UInt8] = [3, 3]) -> [UInt8] {
    [type] + version + [UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF)] + payload
  }

  /// A ServerHello with this version and cipher suite, without extensions.
  private static func hello(_ version: [UInt8], _ suite: [UInt8]) -> [UInt8] {
    let body = version + [UInt8](repeating: 7, count: 32) + [0] + suite + [0]
    return record(22, [2, 0, 0, UInt8(body.count)] + body)
  }

  /// What the server says to the ClientHello.
  private static let answers: [String: @Sendable (Line) -> Void] = [
    "clear text": { $0.write(HostileOrg.answer(#"{"status":"SUCCESS"}"#)) },
    "garbage": { $0.write([UInt8](repeating: 0x55, count: 5_000)) },
    "an alert": { $0.write(record(21, [2, 40])) },
    "a warning": { $0.write(record(21, [1, 0])) },
    "warnings without end": { line in while line.write(record(21, [1, 90])) {} },
    "changes of cipher without end": { line in while line.write(record(20, [1])) {} },
    "empty records without end": { line in while line.write(record(22, [])) {} },
    "a record of 64 KiB": { $0.write([22, 3, 3, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 65_535)) },
    "a message of 16 MiB": { line in
      line.write(record(22, [11, 0xFF, 0xFF, 0xFF]))
      while line.write(record(22, [UInt8](repeating: 0, count: 16_000))) {}
    },
    "SSL 3": { $0.write(hello([3, 0], [0, 0x2F])) },
    "TLS 1.0": { $0.write(hello([3, 1], [0, 0x2F])) },
    "TLS 1.1": { $0.write(hello([3, 2], [0, 0x2F])) },
    "a cipher of nothing": { $0.write(hello([3, 3], [0, 0])) },
    "a cipher that was not offered": { $0.write(hello([3, 3], [0, 0x05])) },
    "application data": { $0.write(record(23, Array("{}".utf8))) },
    "half a record": { $0.write([22, 3]) },
    "silence": { $0.awaitEnd() },
    "a reset": { $0.reset() },
    "an end": { _ in },
  ]

  @Test("handshakes that break the rules", arguments: answers.keys.sorted())
  func handshake(name: String) async throws {
    let answer = try #require(Self.answers[name])
    let seen = Locked([UInt8]())
    let server = try HostileServer { line in
      if let hello = line.read() { seen.withLock { $0 += hello } }
      answer(line)
    }
    defer { server.stop() }
    let api: API = name.utf8.count % 2 == 0 ? .authn : .idx
    let output = try await Aftermath.of("hostile-subject", "TLS, \(api): \(name)") { store in
      [api.rawValue, "https://127.0.0.1:\(server.port)", store, "timeout=1500"]
    }.output
    #expect(output.contains("error"), "\(name): \(output)")
    #expect(server.connections <= 3, "\(name)")
    // A ClientHello, and nothing that could be read.
    #expect(seen.withLock { $0.first } == 22)
    #expect(!String(decoding: seen.withLock { $0 }, as: UTF8.self).contains("hostile"))
  }

  private static let hasTools = ["/usr/bin/openssl", "/bin/bash"].allSatisfy(FileManager.default.isExecutableFile)

  /// Makes a certificate and serves it: the server prints its port.
  private static let script = """
    cd "$1"; exec 2>log
    key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
    openssl req -x509 $key -keyout ca.key -out ca.pem -days 2 -subj /CN=CA -addext basicConstraints=critical,CA:TRUE
    openssl req $key -keyout server.key -out server.csr -subj "/CN=$3"
    printf "subjectAltName=$3\\nextendedKeyUsage=$4\\n" >extensions
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial $2 -out server.pem -extfile extensions
    exec openssl s_server -accept 127.0.0.1:0 -cert server.pem -key server.key -naccept 4
    """

  /// What is wrong with the certificate: dates, names, use, whether its authority is trusted; nil if nothing is.
  struct Certificate: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var dates = "-days 2"
    var name = "IP:127.0.0.1"
    var use = "serverAuth"
    var isTrusted = true
    var says: String
  }

  static let certificates = [
    Certificate(testDescription: "another host", name: "DNS:elsewhere.example", says: "names another host"),
    Certificate(testDescription: "a part of the host", name: "DNS:0.0.1", says: "names another host"),
    Certificate(testDescription: "an authority that is not trusted", isTrusted: false, says: "not trusted"),
    Certificate(
      testDescription: "a time that is over", dates: "-days -1",
      says: "tlsFailed"),
    Certificate(testDescription: "the use of a client", use: "clientAuth", says: "not trusted"),
  ]

  @Test(
    "certificates that prove nothing", .enabled(if: hasTools, "openssl and bash are needed"), arguments: certificates)
  func certificate(fault: Certificate) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hostile-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/answers"
    try #require(mkfifo(path, 0o600) == 0)
    // Opened first: the child would wait for a reader.
    let answers = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(answers >= 0)
    defer { close(answers) }
    let child = try Child(
      "/bin/bash", ["-c", Self.script, "bash", folder.path, fault.dates, fault.name, fault.use],
      environment: ["PATH": "/usr/bin:/bin"], input: "/dev/zero", output: path)
    defer { child.killAndWait() }
    _ = fcntl(answers, F_SETFL, 0)
    let start = await Self.read(answers) { Self.port(in: $0) != nil }
    let port = try #require(Self.port(in: start), "\(start)\(Self.text(folder, "log"))")
    let settings = fault.isTrusted ? ["ca=\(folder.path)/ca.pem"] : []
    let output = try await Aftermath.of("hostile-subject", "TLS: \(fault.testDescription)") { store in
      ["authn", "https://127.0.0.1:\(port)", store] + settings
    }.output
    #expect(output.contains(fault.says), "\(fault.testDescription): \(output)")
    // What is there by now.
    _ = fcntl(answers, F_SETFL, O_NONBLOCK)
    let rest = await Self.read(answers) { _ in false }
    #expect(!(start + rest).contains("hostile"))
  }

  private static func text(_ folder: URL, _ name: String) -> String {
    (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
  }

  /// Reads from a pipe, on a thread of its own, until it has enough, or there is nothing more: for one that does not
  /// block at this moment, for another once all programs that write to it have ended.
  private static func read(_ pipe: CInt, until isEnough: @escaping @Sendable (String) -> Bool) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while !isEnough(String(decoding: bytes, as: UTF8.self)) {
          let count = Glibc.read(pipe, &piece, piece.count)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { break }
          bytes += piece[..<count]
        }
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  /// The port that the server says it listens on; nil if it has not said it yet.
  private static func port(in answers: String) -> UInt16? {
    // The last line may not be whole.
    for line in answers.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    where line.hasPrefix("ACCEPT ") {
      if let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) { return port }
    }
    return nil
  }
}
