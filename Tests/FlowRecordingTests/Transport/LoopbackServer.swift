// A server of bytes for the transport's tests: what a connection gets is written down in the test, down to the reset.

import FlowRecording
import Foundation
import Glibc

/// Listens on a loopback port and runs a closure for each connection, on a thread of its own.
final class LoopbackServer: @unchecked Sendable {
  // `@unchecked Sendable`: the mutable properties are touched under `lock` only.

  /// The port it listens on, chosen by the system.
  let port: UInt16
  private let listener: CInt
  private let lock = NSLock()
  private var openSockets: Set<CInt> = []
  private var accepted = 0
  private var received: [[UInt8]] = []

  /// How many connections have been accepted.
  var connections: Int { lock.withLock { accepted } }
  /// Every whole request read so far, in the order in which they ended.
  var requests: [[UInt8]] { lock.withLock { received } }

  /// Starts to listen; the closure gets each connection and its number, from 0, and the connection ends with it.
  init(_ serve: @escaping @Sendable (Connection, Int) -> Void) throws {
    listener = try Self.listen()
    port = try Self.port(of: listener)
    // Glibc's module does not show it. A mark that is set after `accept` would come too late for a program that another
    // thread starts in between: that program would keep the connection open.
    let accept4 = unsafeBitCast(
      dlsym(nil, "accept4"),
      to: (@convention(c) @Sendable (
        CInt, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?, CInt
      ) -> CInt).self)
    let accepting = Thread { [listener, weak self] in
      while case let socket = accept4(listener, nil, nil, CInt(SOCK_CLOEXEC.rawValue)), socket >= 0 {
        guard let number = self?.opened(socket) else { break }
        let connection = Connection(socket) { [weak self] in self?.note($0) }
        Thread.detachNewThread { [weak self] in
          serve(connection, number)
          connection.close()
          self?.ended(socket)
        }
      }
      close(listener)
    }
    accepting.start()
  }

  /// Answers each request of each connection with the same bytes.
  convenience init(answering bytes: String) throws {
    try self.init { connection, _ in
      while connection.readRequest() != nil { connection.write(bytes) }
    }
  }

  deinit {
    for socket in openSockets { shutdown(socket, CInt(SHUT_RDWR)) }
    shutdown(listener, CInt(SHUT_RDWR))
  }

  /// An absolute URL on this server.
  func url(_ path: String = "/", host: String = "127.0.0.1", scheme: String = "http") -> String {
    "\(scheme)://\(host):\(port)\(path)"
  }

  /// A port that refuses, and that is for the caller alone: under those that the system gives to connections and
  /// servers that ask for any, which other tests have.
  static func refusedPort() throws -> UInt16 {
    for _ in 0..<10_000 {
      let number = reserved.withLock { next in
        next = (next + 1) % 10_000
        return UInt16(20_000 + next)
      }
      if let socket = try? listen(number) {
        close(socket)
        return number
      }
    }
    throw SocketFailure()
  }

  /// Where the search for the next such port goes on; test processes beside each other begin at different places.
  private static let reserved = Locked(Int(getpid()) * 331 % 10_000)

  private func opened(_ socket: CInt) -> Int {
    lock.withLock {
      openSockets.insert(socket)
      accepted += 1
      return accepted - 1
    }
  }

  private func ended(_ socket: CInt) {
    lock.withLock { _ = openSockets.remove(socket) }
    close(socket)
  }

  private func note(_ request: [UInt8]) { lock.withLock { received.append(request) } }

  private static func listen(_ port: UInt16 = 0) throws -> CInt {
    let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    let bound = withAddress(port) { bind(socket, $0, $1) }
    guard socket >= 0, bound == 0, Glibc.listen(socket, 128) == 0 else {
      if socket >= 0 { close(socket) }
      throw SocketFailure()
    }
    return socket
  }

  fileprivate static func withAddress(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  private static func port(of socket: CInt) throws -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let named = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    guard named == 0 else { throw SocketFailure() }
    return UInt16(bigEndian: address.sin_port)
  }
}

/// The system gave no socket.
struct SocketFailure: Error {}

/// One accepted connection, used by one thread.
final class Connection: @unchecked Sendable {
  // `@unchecked Sendable`: handed to its thread once; only `reset` and `close` follow there.

  private let socket: CInt
  private let note: @Sendable ([UInt8]) -> Void
  private var pending: [UInt8] = []

  fileprivate init(_ socket: CInt, note: @escaping @Sendable ([UInt8]) -> Void) {
    self.socket = socket
    self.note = note
  }

  /// The next request, head and body as they came, or nil when the other side has closed.
  func readRequest() -> [UInt8]? {
    while true {
      if let end = pending.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
        let whole = end + Self.contentLength(in: pending[..<end])
        if pending.count >= whole {
          defer { pending.removeFirst(whole) }
          note(Array(pending[..<whole]))
          return Array(pending[..<whole])
        }
      }
      guard let more = readSome() else { return nil }
      pending += more
    }
  }

  /// Passes bytes both ways between this connection and a port of 127.0.0.1, until both sides have ended.
  func tunnel(to port: UInt16) {
    let other = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(other) }
    guard LoopbackServer.withAddress(port, { connect(other, $0, $1) }) == 0 else { return }
    let ended = Signal()
    let far = Connection(other) { _ in }
    Thread.detachNewThread {
      while let bytes = far.readSome() { self.write(bytes) }
      self.close()
      ended.send()
    }
    while let bytes = readSome() { far.write(bytes) }
    far.close()
    ended.wait()
  }

  /// Waits until the other side closes.
  func awaitEnd() { while readSome() != nil {} }

  func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes all of it, unless the other side is gone.
  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }

  /// Ends the connection the orderly way.
  func close() { shutdown(socket, CInt(SHUT_RDWR)) }

  /// Makes the end of the connection a reset.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    // Connecting to «nothing» is the one way to reset a TCP connection at once.
    var nothing = sockaddr()
    nothing.sa_family = sa_family_t(AF_UNSPEC)
    connect(socket, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
  }

  private func readSome() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  private static func contentLength(in head: ArraySlice<UInt8>) -> Int {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let line = lines.first { $0.lowercased().hasPrefix("content-length:") }
    return line.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
  }
}
