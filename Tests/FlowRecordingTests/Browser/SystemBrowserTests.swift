import Foundation
import Testing

@testable import FlowRecording

/// The listener of a redirect, over real sockets on loopback.
@Suite struct SystemBrowserTests {
  private func head(_ target: String, _ port: Int) -> String {
    "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
  }

  /// A connection to a port, or -1.
  private static func connected(to port: Int) -> Int32 {
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(handle, $0, size) == 0 }
    }
    if isOpen { return handle }
    close(handle)
    return -1
  }

  /// Sends bytes to a port, closes if asked, and returns all that comes back.
  private static func exchange(_ text: String, port: Int, waits: Bool = true) -> String {
    let handle = connected(to: port)
    guard handle >= 0 else { return "" }
    defer { close(handle) }
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { send(handle, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard waits else { return "" }
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(handle, &part, part.count), count > 0 { answer += part[..<count] }
    return String(decoding: answer, as: UTF8.self)
  }

  /// Listens, lets a person act once the page is open, and returns what the browser was sent to.
  private func sent(
    limit: Double = 60, on fixed: Int = 0, _ person: @escaping @Sendable (_ page: String, _ port: Int) -> Void
  ) async throws -> Result<String, DrawFailure> {
    let port = Locked(0)
    let browser = SystemBrowser(port: fixed) { page in
      let number = port.withLock { $0 }
      Thread { person(page, number) }.start()
    }
    let uri = try await browser.listen(path: "/callback").get()
    port.withLock { $0 = URLParts(uri)?.authority.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
    return await browser.redirect(
      opening: "https://org.example/authorize", to: uri, state: "right", limit: limit)
  }

  @Test func `the first redirect with the right state counts, whatever came before`() async throws {
    let answers = Locked<[String]>([])
    let result = try await sent { page, port in
      #expect(page == "https://org.example/authorize")
      // Clients that say nothing, go away, or say something else.
      let idle = (0..<8).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
      _ = Self.exchange("GET /call", port: port, waits: false)
      for wrong in ["/callback?code=x&state=wrong", "/favicon.ico"] {
        let answer = Self.exchange(
          "GET \(wrong) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", port: port)
        answers.withLock { $0.append(String(answer.prefix(12))) }
      }
      let answer = Self.exchange(
        "GET /callback?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", port: port)
      answers.withLock { $0.append(String(answer.prefix(12))) }
      for handle in idle { close(handle) }
    }
    #expect(try result.get().hasSuffix("/callback?code=c&state=right"))
    let expected = ["HTTP/1.1 400", "HTTP/1.1 404"]
    #expect(answers.withLock { Array($0.prefix(2)) } == expected)
  }

  @Test func `the port that a sign-in has just left is free for the sign-out`() async throws {
    let come: @Sendable (String, Int) -> Void = { _, port in
      _ = Self.exchange("GET /callback?state=right HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", port: port)
    }
    // Below the ports that the system gives by itself, which a test beside this one could get in between.
    for port in 21_371..<21_471 {
      guard let first = try? await sent(on: port, come) else { continue }
      #expect(try first.get().hasSuffix("/callback?state=right"))
      #expect(try await sent(on: port, come).get().hasSuffix("/callback?state=right"))
      return
    }
    Issue.record("no port of a hundred is free")
  }

  @Test func `a sign-in that ended before its page was open does not keep the port`() async throws {
    // Below the ports that the system gives by itself, as above.
    for port in 21_471..<21_571 {
      let browser = SystemBrowser(port: port) { _ in }
      guard let uri = try? await browser.listen(path: "/callback").get() else { continue }
      #expect(try await browser.listen(path: "/callback").get() == uri)
      return
    }
    Issue.record("no port of a hundred is free")
  }

  @Test func `the port is free before the end of a wait is reported`() async throws {
    // Below the ports that the system gives by itself, as above.
    for port in 21_571..<21_671 {
      guard let listener = try? LoopbackListener(port: port) else { continue }
      let rules = RedirectRequest(authority: "127.0.0.1:\(port)", port: port, path: "/callback", state: "s")
      let isFree = await withCheckedContinuation { (done: CheckedContinuation<Bool, Never>) in
        listener.wait(for: rules, limit: 0) { _ in done.resume(returning: (try? LoopbackListener(port: port)) != nil) }
      }
      // A process that another test starts at this moment has the socket, too, until it runs its program.
      if isFree { return }
    }
    Issue.record("no port of a hundred was free")
  }

  @Test func `of the listeners that no page follows the oldest are given up`() async throws {
    let browser = SystemBrowser { _ in }
    var uris: [String] = []
    for _ in 0...SystemBrowser.mostWaiting { uris.append(try await browser.listen(path: "/callback").get()) }
    // A listener that is there gets as far as the page, which is refused.
    let oldest = await browser.redirect(opening: "http://org.example", to: uris[0], state: "s", limit: 1)
    let next = await browser.redirect(opening: "http://org.example", to: uris[1], state: "s", limit: 1)
    #expect(oldest == .failure(DrawFailure(.failed, "nothing listens on that redirect URI")))
    #expect(next == .failure(DrawFailure(.failed, "only an https page is opened")))
  }

  @Test func `ten thousand wrong states change nothing`() async throws {
    let result = try await sent { _, port in
      for number in 0..<10_000 {
        _ = Self.exchange(
          "GET /callback?state=wrong\(number) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", port: port)
      }
      _ = Self.exchange("GET /callback?state=right HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", port: port)
    }
    #expect(try result.get().hasSuffix("?state=right"))
  }

  @Test func `idle clients, however many, do not keep the browser out`() async throws {
    let result = try await sent { _, port in
      let idle = (0..<100).map { _ in Self.connected(to: port) }
      defer { for handle in idle { close(handle) } }
      _ = Self.exchange("GET /callback?state=right HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", port: port)
    }
    #expect(try result.get().hasSuffix("?state=right"))
  }

  /// Whether this process may act as another user.
  private static var canBeAnother: Bool { geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0 }

  /// What a shell of another user prints.
  private static func asAnother(_ script: String) -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
    process.arguments = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "/bin/bash", "-c", script]
    process.standardOutput = output
    guard (try? process.run()) != nil else { return "" }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(.enabled(if: SystemBrowserTests.canBeAnother, "only root can act as another user"))
  func `another user of this machine who asks a hundred times ends nothing and learns nothing`() async throws {
    let said = Locked("")
    let result = try await sent { _, port in
      let script = """
        for number in $(seq 100); do
          exec 3<>/dev/tcp/127.0.0.1/\(port)
          printf 'GET /callback?code=forged&state=%s HTTP/1.1\\r\\nHost: 127.0.0.1:\(port)\\r\\n\\r\\n' $number >&3
          cat <&3
          exec 3>&-
        done
        id -u
        """
      let text = Self.asAnother(script)
      said.withLock { $0 = text }
      _ = Self.exchange("GET /callback?state=right HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", port: port)
    }
    #expect(try result.get().hasSuffix("?state=right"))
    let text = said.withLock { $0 }
    #expect(text.components(separatedBy: "HTTP/1.1 400").count == 101 && text.hasSuffix("65534\n"))
    for secret in ["right", "org.example", "forged"] { #expect(!text.contains(secret)) }
  }

  @Test func `huge heads, and hosts that only point here, are refused and waited past`() async throws {
    let answers = Locked<[String]>([])
    let result = try await sent { _, port in
      let target = "GET /callback?state=right HTTP/1.1\r\n"
      let huge = "X: " + String(repeating: "x", count: 20_000) + "\r\n"
      for head in ["Host: 127.0.0.1:\(port)\r\n" + huge, "Host: rebound.evil.example:\(port)\r\n", huge] {
        let answer = Self.exchange(target + head + "\r\n", port: port)
        answers.withLock { $0.append(String(answer.prefix(12))) }
      }
      _ = Self.exchange(target + "Host: 127.0.0.1:\(port)\r\n\r\n", port: port)
    }
    #expect(try result.get().hasSuffix("?state=right"))
    // The answer to a head that is still being sent may be lost with the connection.
    #expect(answers.withLock { $0[1] } == "HTTP/1.1 400")
    #expect(answers.withLock { $0[0].isEmpty || $0[0] == "HTTP/1.1 431" })
  }

  @Test func `where there is no IPv4 the listener is on ::1`() throws {
    do throws(DrawFailure) {
      let listener = try LoopbackListener(port: 0, families: [.v6])
      #expect(listener.host == "[::1]" && listener.port > 0)
      let rules = RedirectRequest(
        authority: "[::1]:\(listener.port)", port: listener.port, path: "/callback", state: "s")
      let head = "GET /callback?state=s HTTP/1.1\r\nHost: [::1]:\(listener.port)\r\n\r\n"
      #expect(rules.verdict(on: Array(head.utf8)) == .redirect("http://[::1]:\(listener.port)/callback?state=s"))
    } catch {
      // A machine without IPv6 says so.
      #expect(error.detail?.contains("cannot be listened on") == true)
    }
    #expect(try LoopbackListener(port: 0).host == "127.0.0.1")
    #expect(throws: DrawFailure.self) { try LoopbackListener(port: 0, families: []) }
  }

  @Test func `the end of the task ends the listening`() async throws {
    let browser = SystemBrowser { _ in }
    let uri = try await browser.listen(path: "/callback").get()
    let waiting = Task {
      await browser.redirect(opening: "https://org.example", to: uri, state: "s", limit: 3_600)
    }
    waiting.cancel()
    #expect(await waiting.value == .failure(DrawFailure(.cancelled)))
  }

  @Test func `after the limit nothing has come`() async throws {
    let result = try await sent(limit: 0) { _, _ in }
    #expect(result == .failure(DrawFailure(.timedOut, "the browser was not sent back in time")))
  }

  @Test func `a page that is not https, and a redirect that nothing listens on, are refused`() async throws {
    let browser = SystemBrowser { _ in Issue.record("a page was opened") }
    let uri = try await browser.listen(path: "/callback").get()
    for page in ["http://org.example", "file:///etc/passwd", "javascript:alert(1)", "--help"] {
      let uri = try await browser.listen(path: "/callback").get()
      let result = await browser.redirect(opening: page, to: uri, state: "s", limit: 1)
      #expect(throws: DrawFailure.self) { try result.get() }
    }
    let other = await browser.redirect(opening: "https://org.example", to: uri + "x", state: "s", limit: 1)
    #expect(throws: DrawFailure.self) { try other.get() }
    #expect(throws: DrawFailure.self) { try LoopbackListener(port: 70_000) }
    let taken = try LoopbackListener(port: 0)
    #expect(throws: DrawFailure.self) { try LoopbackListener(port: taken.port) }
  }

  @Test func `a page whose name only begins like this machine is not opened`() async throws {
    let opened = Locked<[String]>([])
    let browser = SystemBrowser { page in opened.withLock { $0.append(page) } }
    for page in ["http://127.0.0.1:80@evil.example/", "http://127.0.0.1:1.evil.example/"] {
      let uri = try await browser.listen(path: "/callback").get()
      let result = await browser.redirect(opening: page, to: uri, state: "s", limit: 0)
      #expect(result == .failure(DrawFailure(.failed, "only an https page is opened")))
    }
    #expect(opened.withLock { $0 } == [])
  }

  @Test func `the browser is found without a shell`() {
    let found = SystemBrowser.program(in: ["BROWSER": "/no/such:/bin/true", "PATH": "/usr/bin:/bin"])
    #expect(found == "/bin/true")
    #expect(SystemBrowser.program(in: ["BROWSER": "true", "PATH": "/no/such:/bin"]) == "/bin/true")
    #expect(SystemBrowser.program(in: ["BROWSER": "/bin/true --now", "PATH": "/no/such"]) == nil)
  }
}
