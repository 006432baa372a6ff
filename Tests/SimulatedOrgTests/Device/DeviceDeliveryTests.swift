// How challenges reach devices: listeners, the notification socket (device.md §7.1, §19.1, §20.3).

import FlyingSocks
import Foundation
import Testing

@testable import SimulatedOrg

@Suite(.timeLimit(.minutes(5))) struct DeviceDeliveryTests {
  @Test func `a listener receives the notifications of its token, in order`() async throws {
    try await withHandset { org, handset in
      let bob = try await Handset.enrolled(org, People.bob.login) { $0.pushToken = "bob" }
      var mine = org.pushes(to: handset.pushToken).makeAsyncIterator()
      var all = org.pushes().makeAsyncIterator()
      let made = try [handset.challenged(), bob.challenged(), handset.challenged { $0.requirement = .required }]
      for expected in [made[0], made[2]] {
        let push = try #require(await mine.next())
        #expect(push.challengeID == expected.id && push.enrollmentID == handset.enrollmentID)
        #expect(push.payload["challenge"] == expected.payload["challenge"])
        #expect(push.payload["payloadVersion"] == "IDXv1")
        let category = expected.id == made[2].id ? "OKTA_PUSH_UV_CHALLENGE" : "OKTA_PUSH_CHALLENGE"
        #expect(push.payload["aps"]?["category"]?.string == category)
      }
      for expected in made { #expect(await all.next()?.challengeID == expected.id) }
      org.redeliver(made[0].id)
      #expect(await mine.next()?.challengeID == made[0].id)
    }
  }

  /// A device in another process, as far as the org can see.
  private final class Listener {
    private let socket: AsyncSocket
    private var bytes: [UInt8] = []

    init(_ port: UInt16, _ line: String) async throws {
      socket = try await .connected(to: .inet(ip4: "127.0.0.1", port: port), pool: DispatchPool(), timeout: 120)
      try await socket.write(Data(line.utf8))
    }

    deinit { try? socket.close() }

    /// The next line; `nil` when the org has closed the connection.
    func next() async throws -> OrgJSON? {
      while true {
        if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
          defer { bytes.removeFirst(end + 1) }
          return OrgJSON(parsing: Array(bytes[..<end])) ?? .null
        }
        do {
          bytes += try await socket.read(atMost: 4096)
        } catch SocketError.disconnected {
          return nil
        }
      }
    }
  }

  @Test func `a device on the socket receives what waits and what comes`() async throws {
    try await withHandset { org, handset in
      let port = try org.openNotifications()
      #expect(try org.openNotifications() == port)
      let bob = try await Handset.enrolled(org, People.bob.login) { $0.pushToken = "bob" }
      let answered = try handset.challenged()
      #expect(try await handset.answer(answered).status == 200)
      let waiting = try handset.challenged()
      let line = #"{"pushToken":"\#(handset.pushToken)"}"# + "\n"
      let listeners = [try await Listener(port, line), try await Listener(port, line)]
      for listener in listeners {
        let first = try #require(try await listener.next())
        #expect(first["challenge"] == waiting.payload["challenge"] && first["payloadVersion"] == "IDXv1")
      }
      _ = try bob.challenged()
      let fresh = try handset.challenged()
      for listener in listeners {
        #expect(try await listener.next()?["challenge"] == fresh.payload["challenge"])
      }
      await org.stop()
      for listener in listeners { #expect(try await listener.next() == nil) }
    }
  }

  @Test(arguments: ["\n", "hello\n", "{}\n", #"{"pushToken":""}"# + "\n", #"{"pushToken":1}"# + "\n"])
  func `a line that names no push token ends the connection`(line: String) async throws {
    try await withHandset { org, _ in
      let listener = try await Listener(try org.openNotifications(), line)
      #expect(try await listener.next() == nil)
    }
  }

  @Test func `a device that leaves does not keep the others from their notifications`() async throws {
    try await withHandset { org, handset in
      let port = try org.openNotifications()
      let line = #"{"pushToken":"\#(handset.pushToken)"}"# + "\n"
      let waiting = try handset.challenged()
      var leaving: Listener? = try await Listener(port, line)
      #expect(try await leaving?.next()?["challenge"] == waiting.payload["challenge"])
      leaving = nil
      let staying = try await Listener(port, line)
      #expect(try await staying.next()?["challenge"] == waiting.payload["challenge"])
      let fresh = try handset.challenged()
      #expect(try await staying.next()?["challenge"] == fresh.payload["challenge"])
    }
  }
}
