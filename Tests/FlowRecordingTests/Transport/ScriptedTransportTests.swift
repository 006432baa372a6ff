// The transport of tests: script, holds, cancellation.

import FlowRecording
import Foundation
import Testing

@Suite struct `A scripted transport` {
  private let get = HTTPRequest(method: "GET", url: "https://org.example/a?b=c")
  private let post = HTTPRequest(method: "POST", url: "https://org.example/a", body: [1])

  @Test func `Each request takes the first answer that matches, as often as it lasts`() async {
    let timeOut = TransportError(.timedOut, "No answer.")
    let transport = ScriptedTransport([
      .respond(to: "POST", "/a", with: HTTPResponse(status: 201)), .respond(with: HTTPResponse(status: 200), uses: 2),
      .fail(with: timeOut),
    ])
    var outcomes: [Result<HTTPResponse, TransportError>] = []
    for request in [get, post, get, get, get] { outcomes.append(await transport.outcome(of: request)) }
    #expect(outcomes.map(\.status) == [200, 201, 200, nil, nil])
    #expect(outcomes[3] == .failure(timeOut))
    #expect(outcomes[4].code == .unavailable)
    #expect(transport.requests == [get, post, get, get, get])
    #expect(transport.remaining == 0)
  }

  @Test func `A hold keeps the answer back until it is released`() async {
    let hold = ScriptedTransport.Hold()
    let transport = ScriptedTransport([
      .respond(with: HTTPResponse(status: 200), hold: hold), .respond(with: HTTPResponse(status: 201)),
      .respond(with: HTTPResponse(status: 202), hold: hold),
    ])
    async let held = transport.outcome(of: get)
    let seen = await transport.requests(atLeast: 1)
    #expect(seen == [get])
    let other = await transport.outcome(of: post)
    #expect(other.status == 201)
    hold.release()
    let outcome = await held
    #expect(outcome.status == 200)
    let later = await transport.outcome(of: get)
    #expect(later.status == 202)
  }

  @Test func `A held request can be cancelled, once`() async {
    let hold = ScriptedTransport.Hold()
    let transport = ScriptedTransport([.respond(with: HTTPResponse(status: 200), hold: hold)])
    let outcome = await transport.outcome(of: get) {
      $0.cancel()
      $0.cancel()
    }
    #expect(outcome.code == .cancelled)
    hold.release()
  }

  @Test func `Completions run one at a time, never inside send, and may send again`() async {
    let transport = ScriptedTransport([.respond(with: HTTPResponse(status: 200), uses: 2)])
    let lock = NSLock()
    let status = await withCheckedContinuation { continuation in
      lock.lock()
      transport.send(get) { _ in
        lock.withLock {}
        transport.send(HTTPRequest(method: "GET", url: "/2")) { continuation.resume(returning: $0.status) }
      }
      lock.unlock()
    }
    #expect(status == 200)
  }
}
