// The listener behind a redirect URI on loopback. Any process on the machine can connect to it, so it trusts no input.

import Foundation

/// Listens on 127.0.0.1, or on ::1 if there is no IPv4, for one redirect. One thread, at most 32 clients at a time,
/// each with 10 seconds and 16 KiB; another one replaces the client that has been idle longest, so that idle
/// connections cannot block the browser.
final class LoopbackListener: Sendable {
  private static let clients = 32
  private static let patience = 10.0
  /// The port that it listens on.
  let port: Int
  /// The host of its URLs: `127.0.0.1` or `[::1]`.
  let host: String
  private let socket: Int32
  private let wake: (read: Int32, write: Int32)
  private let isStopped = Locked(false)
  private let hasLeft = Locked(false)

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - port: the port; 0 for a free one.
  ///   - families: the address families to try, in order; the next one only if the machine does not support the one
  ///     before.
  /// - Throws: `DrawFailure` if the port is taken or the system refuses.
  init(port: Int, families: [LoopbackSocket.Family] = [.v4, .v6]) throws(DrawFailure) {
    guard let number = UInt16(exactly: port) else { throw DrawFailure(.failed, "\(port) is no port") }
    let bound = try LoopbackSocket.listening(on: number, families)
    var pipes: [Int32] = [-1, -1]
    guard unsafe pipe(&pipes) == 0 else {
      close(bound.handle)
      throw DrawFailure(.failed, "the system has no descriptor left")
    }
    for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.port = Int(bound.port)
    host = bound.family.host
    socket = bound.handle
    wake = (pipes[0], pipes[1])
  }

  deinit {
    leave()
    close(wake.read)
    close(wake.write)
  }

  /// Waits for a redirect on a separate thread.
  ///
  /// - Parameters:
  ///   - rules: what counts as the redirect.
  ///   - limit: seconds until the wait times out.
  ///   - done: receives the URL of the redirect, or nil after the time limit or `stop()`. Called once.
  func wait(for rules: RedirectRequest, limit: Double, _ done: @escaping @Sendable (String?) -> Void) {
    let thread = Thread { [self] in
      let redirect = serve(rules, limit: limit)
      // Before the sign-in is over: what follows it may need the same port.
      leave()
      done(redirect)
    }
    thread.name = "flowrecorder.redirect"
    thread.start()
  }

  /// Stops listening.
  private func leave() {
    if hasLeft.set() { close(socket) }
  }

  /// Stops waiting.
  func stop() {
    guard isStopped.set() else { return }
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
      var polled = [pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)]
      polled.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
      polled += order.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let step = min(1, limit - (now - start))
      guard unsafe poll(&polled, nfds_t(polled.count), Int32(step * 1_000) + 1) >= 0 || errno == EINTR else {
        return nil
      }
      for (index, handle) in order.enumerated() where polled[index + 2].revents != 0 {
        if let redirect = read(handle, &clients, rules) { return redirect }
      }
      // Last, because a new client may replace one that had data to read, and reuse its descriptor.
      if polled[1].revents != 0 { welcome(&clients) }
    }
    return nil
  }

  private func welcome(_ clients: inout [Int32: Client]) {
    let handle = accept(socket, nil, nil)
    guard handle >= 0 else { return }
    if clients.count >= Self.clients, let oldest = clients.min(by: { $0.value.since < $1.value.since }) {
      drop(oldest.key, &clients)
    }
    _ = fcntl(handle, F_SETFD, FD_CLOEXEC)
    _ = fcntl(handle, F_SETFL, O_NONBLOCK)
    clients[handle] = Client(since: Self.seconds())
  }

  private func drop(_ handle: Int32, _ clients: inout [Int32: Client]) {
    clients[handle] = nil
    close(handle)
  }

  /// Reads what a client sent, and answers when its head is complete.
  private func read(_ handle: Int32, _ clients: inout [Int32: Client], _ rules: RedirectRequest) -> String? {
    var part = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe Foundation.read(handle, &part, part.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    guard count > 0, var client = clients[handle] else {
      drop(handle, &clients)
      return nil
    }
    let judged = client.bytes.count
    client.bytes += part[..<count]
    clients[handle] = client
    let verdict = rules.verdict(on: client.bytes, judged: judged)
    guard verdict != .incomplete else { return nil }
    let answer = RedirectAnswer.bytes(for: verdict, finishedPage: rules.finishedPage)
    // A single write: if a client does not accept this little, its answer is lost.
    _ = unsafe answer.withUnsafeBytes { unsafe send(handle, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(handle, Int32(SHUT_WR))
    drop(handle, &clients)
    if case .redirect(let url) = verdict { return url }
    return nil
  }

  /// Seconds of a monotonic clock.
  private static func seconds() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Locked<Bool> {
  /// Sets the flag. Returns whether it was not set before.
  fileprivate func set() -> Bool {
    withLock { flag in
      defer { flag = true }
      return !flag
    }
  }
}
