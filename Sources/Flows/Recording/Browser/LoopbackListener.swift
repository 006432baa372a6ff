// The listener behind a redirect URI on loopback: anyone on the machine may talk to it, so it believes nothing.

import Foundation

/// Listens on 127.0.0.1 for one redirect. One thread, at most 32 clients at a time, each with 10 seconds and 16 KiB.
final class LoopbackListener: Sendable {
  private static let clients = 32
  private static let patience = 10.0
  /// The port that it listens on.
  let port: Int
  private let socket: Int32
  private let wake: (read: Int32, write: Int32)
  private let isStopped = Locked(false)

  /// Begins to listen.
  ///
  /// - Parameter port: the port; 0 for one that is free.
  /// - Throws: `DrawFailure` if the port is taken or the system refuses.
  init(port: Int) throws(DrawFailure) {
    guard let number = UInt16(exactly: port) else { throw DrawFailure(.failed, "\(port) is no port") }
    let handle = Foundation.socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard handle >= 0 else { throw Self.failure("no socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(handle, pointer, size) == 0 && listen(handle, 64) == 0 && getsockname(handle, pointer, &size) == 0
      }
    }
    var pipes: [Int32] = [-1, -1]
    let isPiped = unsafe isBound && pipe(&pipes) == 0
    guard isPiped else {
      let failure = Self.failure("port \(port) cannot be listened on")
      close(handle)
      throw failure
    }
    for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.port = Int(UInt16(bigEndian: address.sin_port))
    socket = handle
    wake = (pipes[0], pipes[1])
  }

  deinit {
    close(socket)
    close(wake.read)
    close(wake.write)
  }

  /// Waits for a redirect, on a thread of its own.
  ///
  /// - Parameters:
  ///   - rules: what counts as the redirect.
  ///   - limit: seconds until it gives up.
  ///   - done: gets the URL of the redirect; nil after the limit, or once it was stopped. Called once.
  func wait(for rules: RedirectRequest, limit: Double, _ done: @escaping @Sendable (String?) -> Void) {
    let thread = Thread { [self] in done(serve(rules, limit: limit)) }
    thread.name = "flowrecorder.redirect"
    thread.start()
  }

  /// Ends the waiting.
  func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    var byte: UInt8 = 1
    _ = unsafe write(wake.write, &byte, 1)
  }

  /// A client whose head is being read.
  private struct Client {
    var bytes: [UInt8] = []
    var since: Double
  }

  private func serve(_ rules: RedirectRequest, limit: Double) -> String? {
    var clients: [Int32: Client] = [:]
    defer { for handle in clients.keys { close(handle) } }
    let start = Self.seconds()
    while !isStopped.withLock({ $0 }) {
      let now = Self.seconds()
      guard now - start < limit else { return nil }
      for (handle, client) in clients where now - client.since > Self.patience { drop(handle, &clients) }
      let order = clients.keys.sorted()
      let isFull = clients.count >= Self.clients
      var polled = [pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)]
      polled.append(pollfd(fd: isFull ? -1 : socket, events: Int16(POLLIN), revents: 0))
      polled += order.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let step = min(1, limit - (now - start))
      guard unsafe poll(&polled, nfds_t(polled.count), Int32(step * 1_000) + 1) >= 0 || errno == EINTR else {
        return nil
      }
      if polled[1].revents != 0 { welcome(&clients) }
      for (index, handle) in order.enumerated() where polled[index + 2].revents != 0 {
        if let redirect = read(handle, &clients, rules) { return redirect }
      }
    }
    return nil
  }

  private func welcome(_ clients: inout [Int32: Client]) {
    let handle = accept(socket, nil, nil)
    guard handle >= 0 else { return }
    _ = fcntl(handle, F_SETFD, FD_CLOEXEC)
    _ = fcntl(handle, F_SETFL, O_NONBLOCK)
    clients[handle] = Client(since: Self.seconds())
  }

  private func drop(_ handle: Int32, _ clients: inout [Int32: Client]) {
    clients[handle] = nil
    close(handle)
  }

  /// Reads what a client sent, and answers once its head is whole.
  private func read(_ handle: Int32, _ clients: inout [Int32: Client], _ rules: RedirectRequest) -> String? {
    var part = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe Foundation.read(handle, &part, part.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    guard count > 0, var client = clients[handle] else {
      drop(handle, &clients)
      return nil
    }
    client.bytes += part[..<count]
    clients[handle] = client
    let verdict = rules.verdict(on: client.bytes)
    guard verdict != .incomplete else { return nil }
    let answer = RedirectAnswer.bytes(for: verdict)
    // One write: a client that does not take this little has its own fault.
    _ = unsafe answer.withUnsafeBytes { unsafe send(handle, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(handle, Int32(SHUT_WR))
    drop(handle, &clients)
    if case .redirect(let url) = verdict { return url }
    return nil
  }

  private static func failure(_ what: String) -> DrawFailure {
    DrawFailure(.failed, unsafe "\(what): \(String(cString: strerror(errno)))")
  }

  /// Seconds of a clock that no one sets.
  private static func seconds() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
