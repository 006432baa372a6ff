// One connection: read a request, answer it, in the order they come.

import FlyingSocks
import Foundation
import Glibc

/// A client's connection. Its task is its only user, and the one that closes it.
struct HTTPConnection: Sendable {
  private let socket: AsyncSocket
  private let place: ConnectionPlace
  private let client: HTTPClient?

  init(socket: AsyncSocket, place: ConnectionPlace) {
    self.socket = socket
    self.place = place
    client = HTTPClient(of: socket.socket)
  }

  /// Answers requests until either side ends the connection. A client that vanishes is not an error.
  func serve(_ respond: Respond) async {
    defer { try? socket.close() }
    socket.socket.keepFromChildren()
    try? socket.socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    var parser = RequestParser()
    do {
      while let parsed = try await nextRequest(&parser), !place.isDismissed {
        let delivery = answer(parsed.request, respond)
        let staysOpen = try await deliver(delivery, headOnly: parsed.request.method == "HEAD", closing: parsed.closes)
        if !staysOpen { return }
      }
    } catch let defect as RequestDefect {
      try? await write(HTTPReply(status: defect.status).head(closing: true))
    } catch {
      // The client is gone, or the server stops: there is no client left to answer.
    }
  }

  private func answer(_ request: ReceivedRequest, _ respond: Respond) -> Delivery {
    HTTPClient.$current.withValue(client) { respond(request) }
  }

  private func nextRequest(_ parser: inout RequestParser) async throws -> RequestParser.Parsed? {
    place.startReading()
    defer { place.endWaiting() }
    while true {
      if let parsed = try parser.next() { return parsed }
      if parser.takeContinue() { try await socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
      do {
        parser.append(try await socket.read(atMost: 4096))
      } catch SocketError.disconnected {
        return nil
      }
    }
  }

  /// Carries out one delivery; false when the connection is at its end.
  private func deliver(_ delivery: Delivery, headOnly: Bool, closing: Bool) async throws -> Bool {
    if delivery.delay > .zero { try await Task.sleep(for: delivery.delay) }
    let reply = delivery.reply
    if let pieces = delivery.pieces {
      try await write(reply.head(closing: true, isStream: true))
      guard !headOnly else { return false }
      // Ends with the stream, with the task, and with a client that is gone.
      for await piece in pieces { try await write(piece) }
      return false
    }
    let body = headOnly ? [] : reply.body
    switch delivery.form {
    case .whole:
      try await write(reply.head(closing: closing) + body)
      return !closing
    case .cut(let kept):
      try await write(reply.head(closing: closing) + body.prefix(max(0, kept)))
      return false
    case .dribble(let size, let pause):
      try await write(reply.head(closing: closing))
      var rest = body[...]
      while !rest.isEmpty {
        try await Task.sleep(for: pause)
        try await write(Array(rest.prefix(max(1, size))))
        rest = rest.dropFirst(max(1, size))
      }
      return !closing
    case .hangUp:
      return false
    case .reset:
      try socket.socket.setValue(0, for: LingerOption())
      return false
    }
  }

  private func write(_ bytes: [UInt8]) async throws {
    place.startWriting()
    defer { place.endWaiting() }
    try await socket.write(Data(bytes))
  }
}

/// `SO_LINGER`: with zero seconds, closing drops what is queued and answers with a reset.
private struct LingerOption: SocketOption {
  var name: Int32 { SO_LINGER }
  func makeValue(from value: linger) -> Int32 { value.l_linger }
  func makeSocketValue(from seconds: Int32) -> linger { linger(l_onoff: 1, l_linger: seconds) }
}
