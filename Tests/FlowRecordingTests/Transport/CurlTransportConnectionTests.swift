// Connections, parallel requests, time-outs, cancellation and the end of a transport (`CurlTransport`).

import FlowRecording
import Foundation
import Testing

@Suite struct `Connections and threads` {
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  @Test func `Requests one after another share a connection`() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let transport = CurlTransport(.keeping)
    for number in 0..<20 {
      let outcome = await transport.get(server.url("/\(number)"))
      #expect(outcome.status == 200)
    }
    #expect(server.connections == 1)
    #expect(server.requests.count == 20)
  }

  @Test func `How long the parts of a request took is reported, of a new connection and a kept one`() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let transport = CurlTransport(.keeping)
    guard case .success(let first) = await transport.get(server.url("/1"), isTimed: true),
      case .success(let second) = await transport.get(server.url("/2"), isTimed: true), let new = first.timing,
      let kept = second.timing
    else {
      Issue.record("no answer, or none that says how long it took")
      return
    }
    let connect = try #require(new.connect)
    let firstByte = try #require(new.firstByte)
    #expect(connect > 0 && connect <= firstByte && firstByte <= new.total && new.bytes == 2 && new.secured == nil)
    #expect(kept.lookup == nil && kept.connect == nil && kept.secured == nil && kept.bytes == 2)
    #expect(try #require(kept.firstByte) <= kept.total && server.connections == 1)
  }

  @Test func `Without idle connections each request has its own`() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    var configuration = CurlTransport.Configuration()
    configuration.maxIdleConnections = 0
    let transport = CurlTransport(configuration)
    for _ in 0..<3 { _ = await transport.get(server.url()) }
    #expect(server.connections == 3)
  }

  @Test func `Parallel requests do not wait for one another`() async throws {
    // Each connection answers only once four requests are there: one after another they would never end.
    let arrived = Barrier(4)
    let server = try LoopbackServer { connection, _ in
      while connection.readRequest() != nil {
        arrived.arrive()
        connection.write(Self.ok)
      }
    }
    let transport = CurlTransport()
    let statuses = await outcomes(4) { await transport.get(server.url("/\($0)")) }.map(\.status)
    #expect(statuses == [200, 200, 200, 200])
    #expect(server.connections == 4)
  }

  @Test func `A hundred parallel sends end once each, on no more connections than allowed`() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    var configuration = CurlTransport.Configuration()
    configuration.maxConnectionsPerHost = 5
    let transport = CurlTransport(configuration)
    let all = await outcomes(100) {
      await transport.outcome(of: HTTPRequest(method: "POST", url: server.url("/\($0)"), body: [1, 2]))
    }
    #expect(all.allSatisfy { $0.status == 200 })
    let paths = Set(server.requests.map { String(decoding: $0, as: UTF8.self).split(separator: " ")[1] })
    #expect(server.requests.count == 100)
    #expect(paths.count == 100)
    #expect((1...5).contains(server.connections))
  }

  @Test func `A completion may send again`() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let transport = CurlTransport(.keeping)
    let outcome = await withCheckedContinuation { continuation in
      transport.send(HTTPRequest(method: "GET", url: server.url("/1"))) { _ in
        transport.send(HTTPRequest(method: "GET", url: server.url("/2"))) { continuation.resume(returning: $0) }
      }
    }
    #expect(outcome.status == 200)
    #expect(server.requests.count == 2)
    #expect(server.connections == 1)
  }

  @Test func `A completion never runs inside send`() async throws {
    let transport = CurlTransport()
    let isOnCallersThread = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      let caller = ObjectIdentifier(Thread.current)
      transport.send(HTTPRequest(method: "GET", url: "not a URL")) { _ in
        continuation.resume(returning: ObjectIdentifier(Thread.current) == caller)
      }
    }
    #expect(!isOnCallersThread)
  }

  @Test func `A POST is never sent twice, a GET is, when a reused connection breaks`() async throws {
    let server = try LoopbackServer { connection, _ in
      if connection.readRequest() != nil { connection.write(Self.ok) }
      _ = connection.readRequest()
    }
    let transport = CurlTransport(.keeping)
    _ = await transport.get(server.url("/1"))
    let post = await transport.outcome(of: HTTPRequest(method: "POST", url: server.url("/2"), body: [1]))
    #expect(post.code == .connectionLost)
    #expect(server.requests.count == 2)
    _ = await transport.get(server.url("/3"))
    let get = await transport.get(server.url("/4"))
    #expect(get.status == 200)
    let paths = server.requests.map { String(decoding: $0, as: UTF8.self).split(separator: " ")[1] }
    #expect(paths == ["/1", "/2", "/3", "/4", "/4"])
  }

  @Test func `A server that never answers times out, requests in the queue too`() async throws {
    let server = try LoopbackServer { connection, _ in connection.awaitEnd() }
    var configuration = CurlTransport.Configuration()
    configuration.timeout = .milliseconds(200)
    configuration.maxConnectionsPerHost = 1
    let transport = CurlTransport(configuration)
    // The transport's thread is busy in this completion until all have been sent, so that they are taken up together.
    let isBusy = Signal()
    let mayGoOn = Signal()
    transport.send(HTTPRequest(method: "GET", url: "busy")) { _ in
      isBusy.send()
      mayGoOn.wait()
    }
    await isBusy.received()
    let ended = Locked<[(time: Duration, code: TransportError.Code?)]>([])
    let hasEnded = Signal()
    for _ in 0..<20 {
      let start = ContinuousClock.now
      transport.send(HTTPRequest(method: "GET", url: server.url())) { result in
        ended.withLock { $0.append((start.duration(to: .now), result.code)) }
        hasEnded.send()
      }
    }
    mayGoOn.send()
    for _ in 0..<20 { await hasEnded.received() }
    #expect(ended.withLock { $0.allSatisfy { $0.code == .timedOut } })
    #expect(ended.withLock { $0.allSatisfy { $0.time >= .milliseconds(200) } })
    // One after another, each would get the one connection there may be, and the server would see twenty. Counted and not
    // timed: the load of the machine does not matter.
    #expect(server.connections < 10, "queued requests waited for the time-out of others")
  }

  @Test func `A request cancelled at once sends nothing and ends as cancelled`() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let transport = CurlTransport()
    // The transport's thread is busy in this completion while the next request is sent and cancelled.
    let isBusy = Signal()
    let mayGoOn = Signal()
    transport.send(HTTPRequest(method: "GET", url: "busy")) { _ in
      isBusy.send()
      mayGoOn.wait()
    }
    await isBusy.received()
    let outcome = await transport.outcome(of: HTTPRequest(method: "GET", url: server.url())) { task in
      task.cancel()
      task.cancel()
      mayGoOn.send()
    }
    #expect(outcome.code == .cancelled)
    #expect(server.connections == 0)
  }

  @Test func `A request under way can be cancelled, and the transport goes on`() async throws {
    let arrived = Signal()
    let server = try LoopbackServer { connection, number in
      while connection.readRequest() != nil {
        if number == 0 {
          arrived.send()
          connection.awaitEnd()
        } else {
          connection.write(Self.ok)
        }
      }
    }
    let transport = CurlTransport()
    let outcome = await transport.outcome(of: HTTPRequest(method: "GET", url: server.url())) { task in
      Thread.detachNewThread {
        arrived.wait()
        task.cancel()
      }
    }
    #expect(outcome.code == .cancelled)
    let next = await transport.get(server.url())
    #expect(next.status == 200)
  }

  @Test func `Cancelling what has ended does nothing`() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let transport = CurlTransport()
    var task: (any TransportTask)?
    let outcome = await transport.outcome(of: HTTPRequest(method: "GET", url: server.url())) { task = $0 }
    task?.cancel()
    let next = await transport.get(server.url())
    #expect(outcome.status == 200)
    #expect(next.status == 200)
  }

  @Test func `Cancelling at any moment ends each request once`() async throws {
    let server = try LoopbackServer(answering: Self.ok)
    let transport = CurlTransport()
    let all = await outcomes(200) { _ in
      await transport.outcome(of: HTTPRequest(method: "GET", url: server.url())) { task in
        Thread.detachNewThread { task.cancel() }
      }
    }
    #expect(all.allSatisfy { $0.status == 200 || $0.code == .cancelled })
    let next = await transport.get(server.url())
    #expect(next.status == 200)
  }

  @Test func `A transport let go of ends its requests, closes its connections and lets go of completions`() async throws
  {
    let arrived = Signal()
    let mayAnswer = Signal()
    let closed = Signal()
    let server = try LoopbackServer { connection, _ in
      _ = connection.readRequest()
      arrived.send()
      mayAnswer.wait()
      connection.write(Self.ok)
      connection.awaitEnd()
      closed.send()
    }
    weak var gone: CurlTransport?
    let outcome = await withCheckedContinuation { continuation in
      let transport = CurlTransport()
      gone = transport
      transport.send(HTTPRequest(method: "GET", url: server.url())) { continuation.resume(returning: $0) }
      Thread.detachNewThread {
        arrived.wait()
        mayAnswer.send()
      }
    }
    #expect(gone == nil)
    #expect(outcome.status == 200)
    await closed.received()
  }

  private func outcomes(
    _ count: Int, _ work: @escaping @Sendable (Int) async -> Result<HTTPResponse, TransportError>
  ) async -> [Result<HTTPResponse, TransportError>] {
    await withTaskGroup { group in
      for number in 0..<count { group.addTask { await work(number) } }
      var all: [Result<HTTPResponse, TransportError>] = []
      for await outcome in group { all.append(outcome) }
      return all
    }
  }
}

/// Lets threads go on once so many have arrived.
private final class Barrier: @unchecked Sendable {
  // `@unchecked Sendable`: `missing` is touched under `condition` only.
  private let condition = NSCondition()
  private var missing: Int

  init(_ count: Int) { missing = count }

  func arrive() {
    condition.lock()
    defer { condition.unlock() }
    missing -= 1
    condition.broadcast()
    while missing > 0 { condition.wait() }
  }
}
