import Foundation
import Testing

/// Status lines, header lines and framing that no server should send.
@Suite struct HeadTests {
  private static func head(_ lines: String..., body: String = "{}") -> Act {
    .deed { line in
      line.write(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
  }

  private static let broken: [(String, Act)] = [
    ("10,000 headers", head("HTTP/1.1 200 OK", (0..<10_000).map { "X-\($0): v" }.joined(separator: "\r\n"))),
    ("a header of 1 MB", head("HTTP/1.1 200 OK", "X-Long: \(String(repeating: "x", count: 1_000_000))")),
    (
      "headers without end",
      .deed { line in
        line.write("HTTP/1.1 200 OK\r\n")
        while line.write("X-More: \(String(repeating: "x", count: 1_000))\r\n") {}
      }
    ),
    (
      "interim answers without end",
      .deed { line in while line.write("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n") {} }
    ),
    ("a line without a colon", head("HTTP/1.1 200 OK", "no colon here")),
    ("a name with a space", head("HTTP/1.1 200 OK", "Bad Name: x", "Content-Length: 2")),
    ("NUL in a header", head("HTTP/1.1 200 OK", "X-A: a\0b", "Content-Length: 2")),
    ("a bare CR in a header", head("HTTP/1.1 200 OK", "X-A: a\rSet-Cookie: x=y", "Content-Length: 2")),
    ("two lengths", head("HTTP/1.1 200 OK", "Content-Length: 2", "Content-Length: 30")),
    ("a length below zero", head("HTTP/1.1 200 OK", "Content-Length: -1")),
    ("a length that is no number", head("HTTP/1.1 200 OK", "Content-Length: 0x2")),
    ("a length and chunks", head("HTTP/1.1 200 OK", "Content-Length: 2", "Transfer-Encoding: chunked", body: "zz\r\n")),
    ("a chunk of 2^64", head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", body: "ffffffffffffffff\r\n{}")),
    ("a chunk below zero", head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", body: "-2\r\n{}\r\n0\r\n\r\n")),
    ("an unknown transfer encoding", head("HTTP/1.1 200 OK", "Transfer-Encoding: rot13")),
    ("bytes that are not gzip", head("HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Length: 2")),
    (
      "nested encodings",
      head("HTTP/1.1 200 OK", "Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip, gzip", "Content-Length: 2")
    ),
    ("status 099", head("HTTP/1.1 099 Odd", "Content-Length: 2")),
    ("status 999", head("HTTP/1.1 999 Odd", "Content-Length: 2")),
    ("status 20", head("HTTP/1.1 20 Odd", "Content-Length: 2")),
    ("no status", head("HTTP/1.1", "Content-Length: 2")),
    ("101 Switching Protocols", head("HTTP/1.1 101 Switching Protocols", "Upgrade: h2c", "Connection: Upgrade")),
    ("204 with a body", head("HTTP/1.1 204 No Content", "Content-Length: 2")),
    ("304", head("HTTP/1.1 304 Not Modified", "Content-Length: 2")),
    (
      "401 that asks for Basic",
      head("HTTP/1.1 401 Unauthorized", "WWW-Authenticate: Basic realm=\"x\"", "Content-Length: 2")
    ),
    ("401 that asks for NTLM", head("HTTP/1.1 401 Unauthorized", "WWW-Authenticate: NTLM", "Content-Length: 2")),
    ("407", head("HTTP/1.1 407 Proxy Authentication Required", "Proxy-Authenticate: Basic", "Content-Length: 2")),
    ("HTTP/0.9", .deed { $0.write("<html>") }),
    ("HTTP/3.7", head("HTTP/3.7 200 OK", "Content-Length: 2")),
    ("another protocol", .deed { $0.write("SSH-2.0-OpenSSH_9.2p1\r\n") }),
    ("a preface of HTTP/2", .deed { $0.write([0, 0, 0, 4, 0, 0, 0, 0, 0]) }),
    ("an alternative service", head("HTTP/1.1 200 OK", "Alt-Svc: h3=\":1\"; ma=86400", "Content-Length: 2")),
    ("a reset", .deed { $0.reset() }),
    ("an end before a byte", .deed { _ in }),
    ("a date of the year 9999", .answer("{}", headers: ["Date: Fri, 31 Dec 9999 23:59:59 GMT"])),
    ("a date of the year 0", .answer("{}", headers: ["Date: Sat, 01 Jan 0000 00:00:00 GMT"])),
    ("a rate limit of 10^30", .answer("{}", headers: ["X-Rate-Limit-Reset: \(String(repeating: "9", count: 30))"])),
  ]

  static let attacks = Effort.some(
    broken.flatMap { name, act in Attack.onEach(name, settings: ["timeout=2000"]) { _ in act } })

  @Test("heads that break the rules", arguments: attacks)
  func head(attack: Attack) async throws {
    let requests = try await attack.run().requests
    // Whatever the server asks for, the client names itself in no header but those of the flow.
    #expect(!requests.contains { $0.head.contains("uthorization:") }, "\(attack.name)")
  }

  @Test(
    "cookies of odd form are recorded, and the flow goes on",
    arguments: ["sid= ", "sid=  ; Path=/", " sid = ; ; ", "sid=\t", "=", " = ", ";", "sid", "sid=;=; ;", "sid= =", ""])
  func oddCookie(cookie: String) async throws {
    for api in API.allCases {
      let attack = Attack(name: "odd cookie", api: api) { moment in
        .answer(moment.honest, headers: ["Set-Cookie: \(cookie)"])
      }
      _ = try await attack.run()
    }
  }

  @Test("cookies without end: fifty come back, none is found in the log", arguments: API.allCases)
  func cookies(api: API) async throws {
    let flood = (0..<190).map { "Set-Cookie: c\($0)=canary-flood-\($0); Path=/" }
    let long = "Set-Cookie: long=canary-flood-\(String(repeating: "x", count: 5_000))"
    let attack = Attack(name: "cookies", api: api) { moment in
      .answer(
        moment.honest, headers: flood.map { $0.replacing("c", with: "\(moment.step.rawValue.prefix(3))") } + [long])
    }
    let requests = try await attack.run(secrets: ["anary-flood"]).requests
    let cookies = requests.compactMap { $0.head.firstMatch(of: /Cookie: (.*)\r\n/).map { String($0.1) } }
    #expect(!cookies.isEmpty)
    for cookie in cookies {
      #expect(cookie.split(separator: ";").count <= 51 && !cookie.contains("long="), "\(cookie.count) bytes")
    }
  }
}
