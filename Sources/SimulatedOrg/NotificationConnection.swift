// One device that listens for its notifications on a socket (device.md §19.1): it sends one line, `{"pushToken":"…"}`,
// and receives a line of JSON for each notification, the payload of §7.1.

import FlyingSocks
import Foundation
import Synchronization

/// A connection of a device. Its task is its only user, and the one that closes it.
struct NotificationConnection: Sendable {
  private static let lineLimit = 4096

  private let socket: AsyncSocket
  private let place: ConnectionPlace
  private let responder: Responder

  init(socket: AsyncSocket, place: ConnectionPlace, _ responder: Responder) {
    (self.socket, self.place, self.responder) = (socket, place, responder)
  }

  /// Sends the waiting notifications for the device's push token, then new ones, until either side ends the connection.
  func serve() async {
    defer { try? socket.close() }
    socket.socket.keepFromChildren()
    // A client that sends nothing, or sends byte by byte, is dismissed like an HTTP client.
    place.startReading()
    let line = try? await firstLine()
    place.endWaiting()
    guard let line, let token = OrgJSON(parsing: line)?["pushToken"]?.string, !token.isEmpty
    else { return }
    let (pushes, continuation) = AsyncStream.makeStream(of: OrgPush.self)
    let number = responder.withMemory { memory in
      let number = responder.hub.add(token) { continuation.yield($0) }
      for push in memory.org.waiting(for: token) { continuation.yield(push) }
      return number
    }
    await withTaskGroup { group in
      group.addTask { await write(pushes) }
      group.addTask { await untilClosed() }
      await group.next()
      group.cancelAll()
    }
    responder.hub.remove(number)
  }

  private func firstLine() async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return Array(bytes[..<end]) }
      if bytes.count > Self.lineLimit { return [] }
      bytes += try await socket.read(atMost: Self.lineLimit)
    }
  }

  private func write(_ pushes: AsyncStream<OrgPush>) async {
    for await push in pushes {
      do {
        try await socket.write(Data(push.payload.encoded + [UInt8(ascii: "\n")]))
      } catch {
        return
      }
    }
  }

  /// Returns when the device is gone; anything that it sends after its first line is ignored.
  private func untilClosed() async {
    while (try? await socket.read(atMost: Self.lineLimit)) != nil {}
  }
}

extension OrgState {
  /// The notifications of challenges that still wait for an answer from devices with this push token.
  func waiting(for pushToken: String) -> [OrgPush] {
    device.enrollments.values
      .filter { $0.pushToken == pushToken && (try? checkStatus($0)) != nil }
      .sorted { $0.number < $1.number }
      .flatMap { enrollment in pending(enrollment.id).map { push($0, to: enrollment) } }
  }
}
