// What the fault sweeps of all flows share: the ways to spoil an answer, which requests of a flow are spoiled, and a wire
// that makes an answer late without waiting for it and puts an end to a storm of requests.

public import FlowRecording
import Foundation
public import SimulatedOrg

/// A way to spoil one answer.
public struct Spoiling: Sendable, CustomStringConvertible {
  /// What it is called in a test's report.
  public var name: String
  /// What the org does; nil where the answer is right and comes after the client's time-out.
  public var kind: Fault.Kind?

  /// The name.
  public var description: String { name }

  /// Every way.
  public static let all: [Spoiling] = [
    Spoiling(name: "429", kind: .rateLimited(limit: 600, resetIn: 30)),
    Spoiling(name: "429 bare", kind: .rateLimitedWithoutHeaders), Spoiling(name: "500", kind: .serverError),
    Spoiling(name: "reset", kind: .connectionReset), Spoiling(name: "cut body", kind: .cutBody()),
    Spoiling(name: "malformed JSON", kind: .malformedJSON), Spoiling(name: "wrong content type", kind: .htmlPage),
    Spoiling(name: "empty body", kind: .emptyBody), Spoiling(name: "too late", kind: nil),
  ]
}

/// One flow with one answer spoiled.
public struct FaultSweep: Sendable {
  /// How the answer is spoiled.
  public var spoiling: Spoiling
  /// Which request's answer, from 0.
  public var index: Int
  /// How many requests are more than the flow can mean.
  public var limit: Int

  /// Whether each request is spoiled in each way, and not only a choice: `FLOWRECORDER_LONG=1`.
  public static let isWhole = ProcessInfo.processInfo.environment["FLOWRECORDER_LONG"] == "1"

  /// Which requests of a flow are spoiled: of a long poll the first and the last ones stand for the rest.
  public static func indices(of count: Int) -> [Int] {
    count <= 10 || isWhole ? Array(0..<count) : Array(0..<5) + Array((count - 3)..<count)
  }

  /// One flow with one answer spoiled.
  public init(_ spoiling: Spoiling, at index: Int, limit: Int) {
    self.spoiling = spoiling
    self.index = index
    self.limit = limit
  }

  /// Injects the fault; gives the transport to reach the org with.
  public func spoil(_ org: SimulatedOrg) -> SpoiledTransport {
    if let kind = spoiling.kind { org.inject(Fault(kind, skipping: index)) }
    return SpoiledTransport(
      RenamedOrg(name: Stage.orgURL, url: org.url.absoluteString), late: spoiling.kind == nil ? index : nil,
      limit: limit)
  }

  /// Plays until the end, or until there were more requests than the limit.
  ///
  /// - Returns: how it ended; nil for a storm of requests.
  public static func ending(
    over transport: SpoiledTransport, of play: @escaping @Sendable () async throws -> Void
  ) async -> Result<Void, any Error>? {
    await withTaskGroup(of: Result<Void, any Error>?.self) { group in
      group.addTask {
        do { return .success(try await play()) } catch { return .failure(error) }
      }
      group.addTask {
        await transport.waitForStorm()
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  /// Runs something for each element, four at a time.
  public static func each<Element: Sendable>(
    _ elements: [Element], run: @escaping @Sendable (Element) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, element) in elements.enumerated() {
        if number >= 4 { try await group.next() }
        group.addTask { try await run(element) }
      }
      try await group.waitForAll()
    }
  }
}

/// Reaches an org; makes one answer late without a wait, and answers nothing any more once there were too many requests.
public final class SpoiledTransport: Transport {
  private let transport: any Transport
  private let late: Int?
  private let limit: Int
  private let count = Locked(0)
  private let storms: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

  /// Makes the transport.
  ///
  /// - Parameters:
  ///   - transport: what sends.
  ///   - late: the request whose answer comes too late: the org acts on it, the client hears `timedOut`.
  ///   - limit: how many requests are sent at all.
  public init(_ transport: any Transport, late: Int?, limit: Int) {
    self.transport = transport
    self.late = late
    self.limit = limit
    storms = AsyncStream.makeStream(of: Void.self)
  }

  /// Waits until there were more requests than the limit, or the task is cancelled. For one waiter.
  public func waitForStorm() async { for await _ in storms.stream { return } }

  /// Sends a request, unless there were too many.
  public func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    let number = count.withLock { count in
      defer { count += 1 }
      return count
    }
    guard number < limit else {
      storms.continuation.yield()
      return InertTransport().send(request, completion: completion)
    }
    let isLate = number == late
    return transport.send(request) { result in
      completion(isLate ? .failure(TransportError(.timedOut, "The time-out passed.")) : result)
    }
  }
}
