#if Nats
  import Foundation
  import Testing

  @testable import EventStore
  @testable import Fleet
  @testable import FleetNats

  /// What users of the servers may do, with the rights of docs/FLEET.md, and what those without any may.
  @Suite(.serialized, .enabled(if: NatsServers.program != nil, "nats-server is not installed"))
  struct RightsTests {
    /// A user of a server.
    private struct User {
      let key = UserKey.make()
      let file: String

      init(_ name: String) throws {
        file = NSTemporaryDirectory() + name + "-" + String(UInt32.random(in: 0...UInt32.max), radix: 16) + ".nk"
        try Data(key.seed.utf8).write(to: URL(fileURLWithPath: file))
      }
    }

    /// The rights of docs/FLEET.md.
    private func settings(
      _ hosts: [(store: String, user: User)], collector: User, admin: User
    ) -> String {
      let users =
        hosts.map { NatsRights(host: $0.store).configuration(of: $0.user.key.publicKey) }
        + [NatsRights.collector.configuration(of: collector.key.publicKey), "{ nkey: \(admin.key.publicKey) }"]
      return "authorization: { users: [\n" + users.joined(separator: "\n") + "\n] }"
    }

    @Test func `with the rights of a host and of a collector all that is theirs works, and nothing else`() throws {
      let (mine, other) = (try StageHost(seed: 61), try StageHost(seed: 62))
      let (user, otherUser) = (try User("host"), try User("other"))
      let (collecting, admin) = (try User("collector"), try User("admin"))
      let servers = try NatsServers(
        settings: settings([(mine.id, user), (other.id, otherUser)], collector: collecting, admin: admin))
      try servers.ready(credentials: admin.file)
      let collector = try StageCollector(from: servers.transport(credentials: collecting.file), seed: 63)
      try collector.start([mine, other])
      try (collector.transport as? NatsTransport)?.prepare()
      let transport = try servers.transport(credentials: user.file)
      try mine.ship(to: transport)
      try other.ship(to: servers.transport(credentials: otherUser.file))
      for host in [mine, other] {
        try host.append(60)
        try host.sign()
      }
      #expect(try settle([mine, other], [collector], rounds: 200))
      #expect(try collector.files(of: mine) == mine.files())
      #expect(try collector.files(of: other) == other.files())

      let message = FleetMessage(store: other.id, content: .written, place: .start, bytes: [1])
      expectRefused { () throws(FleetError) in _ = try servers.fleet(user.file).put(message, expecting: 0) }
      expectRefused { () throws(FleetError) in _ = try servers.fleet(user.file).last(of: other.id) }
      expectRefused { () throws(FleetError) in
        _ = try servers.fleet(user.file).ask(FleetQuestion(store: other.id, end: .start))
      }
      expectRefused { () throws(FleetError) in
        var cursor = FleetCursor()
        cursor.positions = [:]
        _ = try servers.fleet(user.file).read(from: cursor, of: [other.id], limit: 10)
      }
      // A collector's user writes nothing in a host's name.
      expectRefused { () throws(FleetError) in _ = try servers.fleet(collecting.file).put(message, expecting: 0) }
      #expect(collector.conflicts == [])
    }

    @Test func `an answer that a host has sent to another's subject does no harm there`() throws {
      let (mine, other) = (try StageHost(seed: 71), try StageHost(seed: 72))
      let (user, otherUser) = (try User("host"), try User("other"))
      let (collecting, admin) = (try User("collector"), try User("admin"))
      let servers = try NatsServers(
        settings: settings([(mine.id, user), (other.id, otherUser)], collector: collecting, admin: admin))
      try servers.ready(credentials: admin.file)
      let collector = try StageCollector(from: servers.transport(credentials: collecting.file), seed: 73)
      try collector.start([mine, other])
      try (collector.transport as? NatsTransport)?.prepare()
      try mine.ship(to: servers.transport(credentials: user.file))
      try other.ship(to: servers.transport(credentials: otherUser.file))
      for host in [mine, other] { try host.append(60) }
      #expect(try settle([mine, other], [collector], rounds: 200))

      // The engine answers to any subject that a request names: its answer, and the attacker's own message, come to stand among
      // the messages of the other host.
      let connection = try NatsConnection(NatsAccess(servers.url(), credentials: user.file))
      let aim = NatsStreams.subject(of: other.id)
      let subject = NatsStreams.subject(of: mine.id)
      try connection.publish([1, 2, 3], to: subject, reply: aim)
      try connection.publish(
        [], to: "$JS.API.DIRECT.GET.\(NatsStreams.name(mine.id.first ?? "0")).\(subject)", reply: aim)
      try connection.publish(
        FleetQuestion(store: mine.id, end: .start).json.bytes, to: NatsAnswers.subject(of: mine.id), reply: aim)
      // Where there is nothing, the engine answers by a status. What looks like one must not stop reading.
      let nothing = "$JS.API.DIRECT.GET.\(NatsStreams.name(mine.id.first ?? "0"))"
      for status in ["404", "503"] {
        try connection.publish([], to: subject, header: ("Status", status))
        try connection.publish([], to: "\(nothing).\(subject)", reply: aim)
      }
      for host in [mine, other] {
        try host.append(60)
        try host.sign()
      }
      #expect(
        try settle([mine, other], [collector], rounds: 60),
        "\(mine.shipper as Any) \(other.shipper as Any) \(collector.conflicts.suffix(3))")
      #expect(try collector.files(of: mine) == mine.files())
      #expect(try collector.files(of: other) == other.files())
    }

    @Test func `a user that the server does not know is refused with a reason`() throws {
      let (known, unknown) = (try User("known"), try User("unknown"))
      let servers = try NatsServers(settings: "authorization: { users: [ { nkey: \(known.key.publicKey) } ] }")
      try servers.ready(credentials: known.file)
      for file in [unknown.file, nil] {
        expectRefused { () throws(FleetError) in
          _ = try NatsTransport(try servers.access(credentials: file))
        }
      }
    }

    @Test func `TLS is spoken with servers of the given authority, and with no others`() throws {
      guard let authority = try Certificates() else { return }
      let stranger = try #require(try Certificates())
      let servers = try NatsServers(
        settings: "tls { cert_file: \"\(authority.folder)/server.pem\", key_file: \"\(authority.folder)/server.key\" }",
        scheme: "tls")
      let transport = try servers.transport(authorities: authority.folder + "/ca.pem")
      #expect(
        try servers.eventually { () -> Bool? in
          do throws(FleetError) {
            _ = try transport.read(from: FleetCursor(), of: [String(repeating: "a", count: 32)], limit: 1)
            return true
          } catch { return nil }
        })
      for file in [stranger.folder + "/ca.pem", nil] {
        expectRefused { () throws(FleetError) in
          _ = try NatsTransport(try servers.access(authorities: file))
        }
      }
    }

    private func expectRefused(_ body: () throws(FleetError) -> Void, at place: SourceLocation = #_sourceLocation) {
      do throws(FleetError) {
        try body()
        Issue.record("it was allowed", sourceLocation: place)
      } catch {
        guard case .refused(let problem) = error, problem.code == .permission else {
          Issue.record("\(error)", sourceLocation: place)
          return
        }
      }
    }
  }

  extension NatsServers {
    /// Where it is, for a user.
    func access(credentials: String? = nil, authorities: String? = nil) throws(FleetError) -> NatsAccess {
      do throws(StoreError) {
        return try NatsAccess(url(), credentials: credentials, authorities: authorities)
      } catch {
        throw .refused(error)
      }
    }

    /// A new connection of a user.
    func fleet(_ credentials: String) throws(FleetError) -> NatsTransport {
      try NatsTransport(access(credentials: credentials), streams: NatsStreams(bytes: 8 << 20))
    }
  }

  /// An authority and a server's certificate for 127.0.0.1, made by openssl; nil without it.
  private final class Certificates {
    let folder: String

    init?() throws {
      folder = NSTemporaryDirectory() + "ca-" + String(UInt32.random(in: 0...UInt32.max), radix: 16)
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") else { return nil }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("subjectAltName=IP:127.0.0.1\n".utf8).write(to: URL(fileURLWithPath: folder + "/names"))
      let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
      try run(["req", "-x509"] + key + ["-subj", "/CN=fleet", "-keyout", "ca.key", "-out", "ca.pem"])
      try run(["req"] + key.dropLast(2) + ["-subj", "/CN=server", "-keyout", "server.key", "-out", "server.csr"])
      try run([
        "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
        "-extfile", "names", "-out", "server.pem",
      ])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func run(_ arguments: [String]) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
      process.currentDirectoryURL = URL(fileURLWithPath: folder)
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
    }
  }
#endif
