// The engine between ship and collect: a directory, or a URL.

import ArgumentParser
import AuditReports
import EventStore
import Fleet
import Foundation

#if Nats
  import FleetNats
#endif

/// Options for reaching an engine over a network.
struct EngineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Who connects to nats://: a file of a user's JWT and seed, or of an NKEY seed.", valueName: "FILE"))
  var creds: String?
  @Option(help: ArgumentHelp("The authorities that servers are checked with, in PEM form.", valueName: "FILE"))
  var ca: String?
}

/// What a collector has of an engine's streams.
struct PartitionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Of nats://, the streams to collect: first digits of stores' ids, such as 0-7 or 0,4,a-f.", valueName: "LIST"))
  var partitions: String?
  @Option(help: ArgumentHelp("The most that a stream keeps that this makes (default: 1 GiB).", valueName: "BYTES"))
  var streamBytes: Int?

  /// The digits; nil is all.
  var digits: String? {
    guard let partitions else { return nil }
    let all = Array("0123456789abcdef")
    var found: Set<Character> = []
    for part in partitions.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
        .map { $0.count == 1 ? $0.first.flatMap { all.firstIndex(of: $0) } : nil }
      guard (1...2).contains(ends.count), let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last
      else { return "" }
      found.formUnion(all[first...last])
    }
    return String(all.filter(found.contains))
  }

  func validate() throws {
    if digits == "" { throw ValidationError("--partitions is no list of hexadecimal digits, such as 0-7 or 0,4,a-f") }
    guard (1 << 20...1 << 50).contains(streamBytes ?? 1 << 30) else {
      throw ValidationError("--stream-bytes is not within 1 MiB...1 PiB")
    }
  }
}

/// The engines that this build has.
enum FleetEngine {
  /// The engine that an argument names.
  ///
  /// - Parameters:
  ///   - isMade: true makes a directory that is not there.
  ///   - streams: what a collector has of it, which makes its streams; nil for a host.
  /// - Throws: exit 64 for a URL that this build cannot use, 66 for a directory that is not there, 74 if nothing
  ///   answers, 77 if the user may not.
  static func open(
    _ given: String, _ options: EngineOptions, streams: PartitionOptions? = nil, making isMade: Bool
  ) throws -> any FleetTransport {
    if let scheme = given.range(of: "://") {
      return try network(given, scheme: String(given[..<scheme.lowerBound]), options, streams)
    }
    guard options.creds == nil, options.ca == nil, streams?.partitions == nil, streams?.streamBytes == nil else {
      throw CommandFailure(
        .usage, "--creds, --ca, --partitions and --stream-bytes are for nats:// addresses; leave them out")
    }
    var isDirectory: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: given, isDirectory: &isDirectory)
    if isThere, !isDirectory.boolValue {
      throw CommandFailure(
        isMade ? .cannotCreate : .notFound,
        "\(given.printable) is no directory; give one that hosts and collectors share")
    }
    if !isThere, !isMade {
      throw CommandFailure(
        .notFound, "there is no directory \(given.printable); ship to it first, or check the path")
    }
    guard isMade else { return try DirectoryTransport(directory: given) }
    return try Creation.of(given) { () throws(StoreError) in try DirectoryTransport(directory: given) }
  }

  private static func network(
    _ given: String, scheme: String, _ options: EngineOptions, _ streams: PartitionOptions?
  ) throws -> any FleetTransport {
    guard scheme == "nats" || scheme == "tls" else {
      throw CommandFailure(
        .usage, "there is no engine for \(scheme.printable):// addresses; give a directory, or nats://HOST:PORT")
    }
    #if Nats
      let access: NatsAccess
      do throws(StoreError) {
        access = try NatsAccess(given, credentials: options.creds, authorities: options.ca)
      } catch {
        throw CommandFailure(.usage, error.description)
      }
      do throws(FleetError) {
        let transport = try NatsTransport(
          access, streams: NatsStreams(bytes: streams?.streamBytes ?? NatsStreams.usualBytes),
          partitions: streams?.digits ?? NatsTransport.allPartitions)
        if streams != nil { try transport.prepare() }
        return transport
      } catch {
        switch error {
        case .refused(let problem): throw problem
        case .full: throw CommandFailure(.inputOutput, "the servers have no room; see docs/FLEET.md for sizes")
        case .unreachable(let reason):
          throw CommandFailure(
            .inputOutput, "\(given.printable) cannot be used now: \(reason.printable); check the address, and try again"
          )
        case .wrongSequence: throw CommandFailure(.inputOutput, "the servers contradict themselves; try again")
        }
      }
    #else
      throw CommandFailure(
        .usage,
        "this build cannot speak to \(scheme):// addresses; build it with make install TRAITS=Nats, or give a directory"
      )
    #endif
  }

  /// True if it is a directory, which may be carried to its collector later.
  static func isDirectory(_ given: String) -> Bool { !given.contains("://") }

  /// Waits this many seconds.
  static func pause(_ seconds: Double) { usleep(UInt32(max(0, min(seconds, 60)) * 1_000_000)) }

  /// A monotonic clock of the machine, in microseconds.
  static func uptime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
