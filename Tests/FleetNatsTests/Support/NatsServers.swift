#if Nats
  // Real servers on loopback, in a folder of their own, ended with the object.
  import Foundation
  import Testing

  @testable import EventStore
  @testable import Fleet
  @testable import FleetNats

  /// One server, or a cluster of three.
  final class NatsServers {
    /// The program, of NATS_SERVER or where it is installed.
    static let program =
      ([ProcessInfo.processInfo.environment["NATS_SERVER"] ?? ""]
      + ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"])
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    let folder: String
    let ports: [Int]
    private var processes: [Process?]
    private let scheme: String

    /// Starts servers.
    ///
    /// - Parameters:
    ///   - settings: lines for the file of each server: users, TLS.
    init(_ count: Int = 1, settings: String = "", scheme: String = "nats") throws {
      folder = NSTemporaryDirectory() + "nats-" + String(UInt32.random(in: 0...UInt32.max), radix: 16)
      self.scheme = scheme
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let free = try Self.freePorts(count * 2)
      ports = Array(free[..<count])
      let routes = free[count...].map { "nats://127.0.0.1:\($0)" }.joined(separator: ", ")
      for index in 0..<count {
        var lines = """
          listen: 127.0.0.1:\(ports[index])
          server_name: n\(index)
          jetstream { store_dir: "\(folder)/n\(index)", max_file_store: 1GB, max_memory_store: 64MB }
          \(settings)

          """
        if count > 1 {
          lines += "cluster { name: fr, listen: 127.0.0.1:\(free[count + index]), routes: [\(routes)] }\n"
        }
        try Data(lines.utf8).write(to: URL(fileURLWithPath: "\(folder)/n\(index).conf"))
      }
      processes = Array(repeating: nil, count: count)
      for index in 0..<count { try start(index) }
    }

    deinit {
      for process in processes {
        guard let process else { continue }
        kill(process.processIdentifier, SIGCONT)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      try? FileManager.default.removeItem(atPath: folder)
    }

    /// The addresses, of which the first is that of a server.
    func url(from index: Int = 0) -> String {
      (0..<ports.count).map { "\(scheme)://127.0.0.1:\(ports[($0 + index) % ports.count])" }.joined(separator: ",")
    }

    /// Starts a server, with what its disk has.
    func start(_ index: Int) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try #require(Self.program))
      process.arguments = ["-c", "\(folder)/n\(index).conf", "-l", "\(folder)/n\(index).log"]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      processes[index] = process
    }

    /// Kills a server, as the power does.
    func stop(_ index: Int) {
      guard let process = processes[index] else { return }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      processes[index] = nil
    }

    /// Takes away all that a server has stored.
    func wipe(_ index: Int) throws { try FileManager.default.removeItem(atPath: "\(folder)/n\(index)") }

    /// What a server has written.
    func log(_ index: Int) -> String { (try? String(contentsOfFile: "\(folder)/n\(index).log", encoding: .utf8)) ?? "" }

    /// Does something until it succeeds: servers take a moment to be there, and to choose a leader.
    func eventually<Result>(_ seconds: Int = 120, _ body: () throws -> Result?) throws -> Result {
      let end = ContinuousClock.now + .seconds(seconds)
      while true {
        do {
          if let result = try body() { return result }
        } catch {
          if ContinuousClock.now > end { throw error }
        }
        try #require(ContinuousClock.now < end, "\(log(0).suffix(2_000))")
        usleep(50_000)
      }
    }

    /// A transport, as soon as the servers let it in.
    func transport(
      credentials: String? = nil, authorities: String? = nil, streams: NatsStreams = NatsStreams(bytes: 8 << 20),
      partitions: String = NatsTransport.allPartitions, from index: Int = 0
    ) throws -> NatsTransport {
      let access = try NatsAccess(url(from: index), credentials: credentials, authorities: authorities)
      return try eventually {
        do throws(FleetError) {
          return try NatsTransport(access, streams: streams, partitions: partitions)
        } catch {
          if case .unreachable = error { return nil }
          throw error
        }
      }
    }

    /// Asks the engine something, as its administrator.
    func ask(_ subject: String, _ body: String = "", credentials: String? = nil) throws -> JSON {
      let connection = try NatsConnection(NatsAccess(url(), credentials: credentials))
      let inbox = try connection.inbox("fr.inbox.test." + String(UInt32.random(in: 0...UInt32.max)))
      let reply = try connection.request(subject, Array(body.utf8), by: inbox, within: 5_000)
      return try #require(reply.json)
    }

    /// Waits until streams can be made.
    func ready(credentials: String? = nil) throws {
      _ = try eventually {
        let answer = try ask("$JS.API.INFO", credentials: credentials)
        guard answer["error"] == nil else { return nil as Bool? }
        guard ports.count > 1 else { return true }
        let made = try ask(
          "$JS.API.STREAM.CREATE.READY",
          "{\"name\":\"READY\",\"subjects\":[\"ready\"],\"num_replicas\":3,\"storage\":\"memory\"}",
          credentials: credentials)
        return made["error"] == nil ? true : nil
      }
    }

    /// The server that leads a stream.
    func leader(of stream: String) throws -> Int {
      try eventually {
        let info = try ask("$JS.API.STREAM.INFO.\(stream)")
        return (info["cluster"]?["leader"]?.string?.dropFirst()).flatMap { Int($0) }
      }
    }

    private static func freePorts(_ count: Int) throws -> [Int] {
      var sockets: [Int32] = []
      defer { for socket in sockets { close(socket) } }
      return try (0..<count).map { _ in
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sockets.append(socket)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
          }
        }
        try #require(result == 0)
        return Int(UInt16(bigEndian: address.sin_port))
      }
    }
  }
#endif
