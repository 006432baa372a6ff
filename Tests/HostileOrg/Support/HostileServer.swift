// A server of bytes that keeps to no rule: what each connection gets is written down in the test. Written on POSIX
// sockets and apart from the simulated org, whose manners it must not share.
import Foundation
import Glibc
import Synchronization

/// Listens on a port of 127.0.0.1 and runs a closure for each connection, on a thread of its own.
final class HostileServer: Sendable {
  /// The port it listens on, chosen by the system.
  let port: UInt16
  private let listener: CInt
  private let state = Mutex(State())

  private struct State {
    var sockets: Set<CInt> = []
    var connections = 0
    var received: [String] = []
    var requests: [HostileRequest] = []
  }

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - isApart: whether to take a port above those that Linux hands out by itself, so that no program connects that
  ///     looks for a server that had the port before.
  ///   - serve: called with each connection, which ends when it returns.
  init(isApart: Bool = false, _ serve: @escaping @Sendable (Line) -> Void) throws {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let ports: ClosedRange<in_port_t> = isApart ? 61_000...65_535 : 0...0
    let named = ports.contains { port in
      address.sin_port = port.bigEndian
      return withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(listener, address, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, address, &size) == 0
        }
      }
    }
    guard listener >= 0, named else { throw NoSocket() }
    port = UInt16(bigEndian: address.sin_port)
    // Glibc's module does not show it. A mark that is set after `accept` would come too late for a program that another
    // thread starts in between: that program would keep the connection open.
    let accept4 = unsafeBitCast(
      dlsym(nil, "accept4"),
      to: (@convention(c) @Sendable (
        CInt, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?, CInt
      ) -> CInt).self)
    Thread.detachNewThread { [listener, weak self] in
      while case let socket = accept4(listener, nil, nil, CInt(SOCK_CLOEXEC.rawValue)), socket >= 0 {
        guard let self else {
          close(socket)
          break
        }
        state.withLock {
          _ = $0.sockets.insert(socket)
          $0.connections += 1
        }
        let line = Line(
          socket, noteFirst: { [weak self] bytes in self?.state.withLock { $0.received.append(bytes) } },
          note: { [weak self] request in self?.state.withLock { $0.requests.append(request) } })
        Thread.detachNewThread { [weak self] in
          serve(line)
          // Taken off the list first: from then on its number may be another's.
          self?.state.withLock { _ = $0.sockets.remove(socket) }
          close(socket)
        }
      }
      close(listener)
    }
  }

  deinit { stop() }

  /// Ends all connections and listens no more.
  func stop() {
    state.withLock { state in for socket in state.sockets { shutdown(socket, CInt(SHUT_RDWR)) } }
    shutdown(listener, CInt(SHUT_RDWR))
  }

  /// Its address.
  var url: String { "http://127.0.0.1:\(port)" }
  /// How many connections there were, those of strangers to a port that was theirs before included.
  var connections: Int { state.withLock { $0.connections } }
  /// What each connection sent that sent anything: the beginning of it, as text.
  var received: [String] { state.withLock { $0.received } }
  /// Every whole request so far.
  var requests: [HostileRequest] { state.withLock { $0.requests } }
}

/// The system gave no socket.
struct NoSocket: Error {}

/// A request as it was read.
struct HostileRequest: Sendable {
  var method: String
  var path: String
  var head: String
  var body: String

  /// All of it.
  var text: String { head + body }
}

/// One connection.
///
/// `@unchecked Sendable`: handed to its thread once, and used by that alone.
final class Line: @unchecked Sendable {
  private let socket: CInt
  private let noteFirst: @Sendable (String) -> Void
  private let note: @Sendable (HostileRequest) -> Void
  private var pending: [UInt8] = []
  private var hasRead = false

  /// - Parameters:
  ///   - noteFirst: called with the beginning of what is read first.
  ///   - note: called with each whole request.
  init(
    _ socket: CInt, noteFirst: @escaping @Sendable (String) -> Void,
    note: @escaping @Sendable (HostileRequest) -> Void
  ) {
    self.socket = socket
    self.noteFirst = noteFirst
    self.note = note
  }

  /// Reads the next request of HTTP/1.1; nil if the other side has closed.
  func request() -> HostileRequest? {
    while true {
      if let end = pending.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
        let head = String(decoding: pending[..<end], as: UTF8.self)
        let length = head.lowercased().firstMatch(of: /content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
        if pending.count >= end + length {
          let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
          let request = HostileRequest(
            method: words.first.map(String.init) ?? "", path: words.count > 1 ? String(words[1]) : "", head: head,
            body: String(decoding: pending[end..<(end + length)], as: UTF8.self))
          pending.removeFirst(end + length)
          note(request)
          return request
        }
      }
      guard let more = read() else { return nil }
      pending += more
    }
  }

  /// Reads what has come, at least a byte; nil if the other side has closed.
  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { return nil }
    if !hasRead {
      hasRead = true
      noteFirst(String(decoding: buffer[..<min(count, 500)], as: UTF8.self))
    }
    return Array(buffer[..<count])
  }

  /// Writes all of it. Returns false if the other side is gone.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Reads until the other side closes.
  func awaitEnd() { while read() != nil {} }

  /// Makes the end of the connection a reset.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }
}
