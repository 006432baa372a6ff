#if Nats
  import Foundation
  import Testing

  @testable import EventStore
  @testable import Fleet
  @testable import FleetNats

  /// From hosts to collectors over real servers.
  @Suite(.serialized, .enabled(if: NatsServers.program != nil, "nats-server is not installed"))
  struct NatsShippingTests {
    /// A host, a collector, and what is between them.
    private func stage(_ servers: NatsServers, seed: UInt64 = 1) throws -> (StageHost, StageCollector) {
      try servers.ready()
      let host = try StageHost(seed: seed)
      let transport = try servers.transport(partitions: String(host.id.prefix(1)))
      try servers.eventually { try transport.prepare() }
      let collector = try StageCollector(from: transport, seed: seed + 1)
      try collector.start([host])
      try host.ship(to: servers.transport())
      return (host, collector)
    }

    private func expectEqual(
      _ host: StageHost, _ collector: StageCollector, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      #expect(try collector.files(of: host) == host.files(), sourceLocation: sourceLocation)
      let report = try Verifier(
        directory: collector.folder.host(host.id), pinnedKey: host.key.verifier, disk: collector.disk
      ).run(threads: 1)
      #expect(report.verdict == .ok, "\(report.findings)", sourceLocation: sourceLocation)
      #expect(collector.collector?.state.hosts[host.id]?.cosigned == host.log?.size, sourceLocation: sourceLocation)
    }

    @Test(arguments: [1, 3])
    func `a live log comes out byte for byte, verified and cosigned`(count: Int) throws {
      let servers = try NatsServers(count)
      let (host, collector) = try stage(servers)
      for _ in 0..<3 {
        try host.append(60)
        try host.sign()
        #expect(try settle([host], [collector], rounds: 200))
      }
      try expectEqual(host, collector)
      #expect(collector.conflicts == [])
      #expect(try servers.ask("$JS.API.STREAM.INFO.\(stream(of: host))")["config"]?["num_replicas"]?.int == count)
    }

    @Test func `a sealed segment goes again, and both sides go on after a new start`() throws {
      let servers = try NatsServers()
      let (host, collector) = try stage(servers, seed: 7)
      try host.append(200)
      try host.sign()
      #expect(try settle([host], [collector], rounds: 200))
      _ = try host.log?.seal()
      try host.append(20)
      try host.sign()
      try host.ship(to: servers.transport())
      collector.collector = nil
      collector.transport = try servers.transport()
      try collector.start([host])
      #expect(try settle([host], [collector], rounds: 200))
      #expect(try settle([host], [collector], rounds: 200))
      #expect(try collector.files(of: host) == host.files())
      #expect(collector.conflicts == [])
    }

    @Test func `two collectors have the same, and a host waits for both`() throws {
      let servers = try NatsServers()
      let (host, first) = try stage(servers, seed: 11)
      let second = try StageCollector("c2", from: servers.transport(), seed: 13)
      try second.start([host])
      try host.append(80)
      try host.sign()
      #expect(try settle([host], [first, second], rounds: 200))
      #expect(host.shipper?.answers.count == 2)
      try expectEqual(host, first)
      try expectEqual(host, second)
    }

    @Test func `killing the leader of a stream costs nothing but time`() throws {
      let servers = try NatsServers(3)
      let (host, collector) = try stage(servers, seed: 21)
      try host.append(100)
      try host.sign()
      #expect(try settle([host], [collector], rounds: 200))
      let leader = try servers.leader(of: stream(of: host))
      servers.stop(leader)
      try host.append(100)
      try host.sign()
      _ = try servers.eventually(60) { try patient([host], [collector]) ? true : nil }
      try servers.start(leader)
      try host.append(20)
      try host.sign()
      _ = try servers.eventually(60) { try patient([host], [collector]) ? true : nil }
      try expectEqual(host, collector)
      #expect(collector.conflicts == [])
    }

    @Test(arguments: ["purged", "deleted"])
    func `a host goes back if its stream was emptied before it was read`(how: String) throws {
      let servers = try NatsServers()
      try servers.ready()
      let host = try StageHost(seed: 31)
      // As a fleet's, except that it can be purged.
      let made = try servers.ask(
        "$JS.API.STREAM.CREATE.\(stream(of: host))",
        "{\"name\":\"\(stream(of: host))\",\"subjects\":[\"fr.\(host.id.prefix(1)).>\"],\"allow_direct\":true}")
      #expect(made["error"] == nil)
      let collector = try StageCollector(from: servers.transport(), seed: 32)
      try collector.start([host])
      try host.ship(to: servers.transport())
      try host.append(100)
      try host.sign()
      #expect(try settle([host], [collector], rounds: 200))
      try host.append(60)
      while case .shipped = try host.shipper?.step(now: 1_000_000_000, isLast: true) {}
      let subject = how == "purged" ? "PURGE" : "DELETE"
      #expect(try servers.ask("$JS.API.STREAM.\(subject).\(stream(of: host))")["success"] == .bool(true))
      try host.append(20)
      try host.sign()
      _ = try servers.eventually(60) { try patient([host], [collector]) ? true : nil }
      try expectEqual(host, collector)
      #expect(collector.conflicts == [])
    }

    @Test func `a full stream is waited for`() throws {
      let servers = try NatsServers()
      try servers.ready()
      let host = try StageHost(seed: 41)
      let name = stream(of: host)
      func configure(_ call: String, _ bytes: Int) throws {
        let answer = try servers.ask(
          "$JS.API.STREAM.\(call).\(name)",
          "{\"name\":\"\(name)\",\"subjects\":[\"fr.\(host.id.prefix(1)).>\"],\"allow_direct\":true,\"discard\":\"new\","
            + "\"max_bytes\":\(bytes)}")
        #expect(answer["error"] == nil, "\(answer)")
      }
      try configure("CREATE", 8_000)
      let collector = try StageCollector(from: servers.transport(), seed: 42)
      try collector.start([host])
      try host.ship(to: servers.transport())
      try host.append(400)
      try host.sign()
      var step: ShipStep?
      for _ in 0..<40 {
        step = try host.shipper?.step(now: 1_000_000_000, isLast: true)
        if case .shipped = step { continue }
        break
      }
      #expect(step == .waiting("the engine has no room"))
      try configure("UPDATE", 8 << 20)
      _ = try servers.eventually { try patient([host], [collector]) ? true : nil }
      try expectEqual(host, collector)
    }

    @Test func `what others publish in a host's name gives way, and is kept`() throws {
      let servers = try NatsServers()
      let (host, collector) = try stage(servers, seed: 51)
      try host.append(100)
      try host.sign()
      #expect(try settle([host], [collector], rounds: 200))
      // The next bytes of the host as they are, with some of them changed; then no message at all.
      let other = try servers.transport()
      let last = try #require(try other.last(of: host.id))
      try host.append(40)
      var slice = try #require(
        try StoreSource(directory: host.directory, disk: host.disk).slice(from: last.message.end, limit: 256 << 10))
      slice.bytes[slice.bytes.count / 2] ^= 0x20
      let sequence = try other.put(FleetMessage(slice, of: host.id), expecting: last.sequence)
      try collector.run()
      let answer = try servers.ask(NatsStreams.subject(of: host.id), "no message")
      #expect(answer["seq"]?.position == sequence + 1)
      try host.sign()
      _ = try servers.eventually { try patient([host], [collector]) ? true : nil }
      try expectEqual(host, collector)
      #expect(!collector.conflicts.isEmpty)
    }

    /// Settles for some rounds, in which servers may be away.
    private func patient(_ hosts: [StageHost], _ collectors: [StageCollector]) throws -> Bool {
      do {
        return try settle(hosts, collectors, rounds: 20)
      } catch let error as StoreError where error.code == .io {
        return false
      }
    }

    private func stream(of host: StageHost) -> String { "FR_\(host.id.prefix(1))" }
  }
#endif
