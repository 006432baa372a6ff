// What a flow of any kind records, sends, and reports: secrets are masked in errors of a transport, notes, contexts,
// draws, requests that a listener changed, and replies that no call waits for.

import Dispatch
import EventStore

extension RuntimeTables {
  static var stepped: [String] {
    trials.map { name, configure, body in
      let probe = Probe(configure)
      body(probe)
      return line(name, probe.observed)
    } + [line("held", held), line("seen", seen)] + slow
  }

  /// What comes while the log is slow, and is answered in its order once the log has written; also if it then fails.
  private static var slow: [String] {
    [nil, 0, 1, 2].map { (failing: Int?) in
      let log = Locked<HeldRecorder?>(nil)
      let probe = Probe { environment in
        let held = HeldRecorder(environment.recorder)
        environment.recorder = held
        log.withLock { $0 = held }
      }
      let held = log.withLock { $0 }
      var number = 0
      func goOn() {
        while held?.release(number == failing ? AuditError("The disk is full.") : nil) == true { number += 1 }
      }
      probe.call("send", "first")
      probe.call("tell", "second")
      probe.flow.note("third of Correct-Horse-7")
      probe.call("poll", "fourth")
      probe.call("ask", "fifth", answering: [.success(["more": "asked"])])
      probe.call("tell", "sixth")
      goOn()
      probe.answer(quoting)
      probe.time.advance(milliseconds: 5_000)
      probe.call("send", "seventh")
      goOn()
      return line("slow \(failing.map(String.init) ?? "never fails")", "\(number) \(probe.observed)")
    }
  }

  /// What a seam is asked: with the secrets themselves. It answers on another thread.
  private static var seen: String {
    let memory = MemoryRecorder()
    let environment = FlowEnvironment(
      recorder: memory, transport: InertTransport(),
      clock: VirtualTime(start: Timestamp(microseconds: 1_768_467_641_000_000)), device: nil, userAgent: "agent")
    let flow = Flow<ProbeCore>(environment: environment, settings: [:])
    let isOver = DispatchSemaphore(value: 0)
    let arguments: JSON = ["url": "https://acme.example/v1?scope=a&code=sent-code-1", "password": "Correct-Horse-7"]
    flow.call("look", arguments: arguments, on: nil, sink: CallSink(returned: { _, _ in isOver.signal() }))
    // The limit is for a flow that never ends its call; no load takes that long.
    let end = isOver.wait(timeout: .now() + 300)
    return "\(end == .success) \(memory.records(of: flow.stream).map { $0.event.data.text })"
  }

  /// How many draws are in progress after one is asked, and after its call is given up.
  private static var held: [Int] {
    let probe = Probe { _ in }
    let call = probe.call("hold")
    let before = probe.flow.state.withLock { $0.answering.count }
    probe.flow.giveUp(call)
    return [before, probe.flow.state.withLock { $0.answering.count }]
  }

  /// A transport that answers when the trial does.
  private final class HeldTransport: Transport {
    let sent = Locked<[String]>([])
    private let waiting = Locked<[@Sendable (Result<HTTPResponse, TransportError>) -> Void]>([])

    func send(
      _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
    ) -> any TransportTask {
      sent.withLock { $0.append(CannedTransport.text(request)) }
      waiting.withLock { $0.append(completion) }
      return CannedTask {}
    }

    /// Answers the oldest request.
    func answer(_ result: Result<HTTPResponse, TransportError>) {
      let next: (@Sendable (Result<HTTPResponse, TransportError>) -> Void)? = waiting.withLock {
        $0.isEmpty ? nil : $0.removeFirst()
      }
      next?(result)
    }
  }

  /// A flow with its surroundings, and what was observed.
  private struct Probe {
    let flow: Flow<ProbeCore>
    let transport = HeldTransport()
    let time = VirtualTime(start: Timestamp(microseconds: 1_768_467_641_000_000))
    private let memory = MemoryRecorder()
    private let said = Locked<[String]>([])

    init(_ configure: (inout FlowEnvironment) -> Void) {
      var environment = FlowEnvironment(
        recorder: memory, transport: transport, clock: time, entropy: SeededEntropy(seed: 7), timers: time, device: nil,
        userAgent: "agent")
      configure(&environment)
      flow = Flow(
        environment: environment,
        settings: ["org": "https://acme.example/?code=org-code-1", "key": "setting-key-1", "odd": "undeclared-1"])
    }

    @discardableResult
    func call(
      _ name: String, _ more: String = "", on snapshot: ProbeCore? = nil,
      answering answers: [Result<JSON, DrawFailure>] = []
    ) -> CallToken {
      let arguments: JSON = [
        "url": "https://acme.example/v1?scope=a&code=sent-code-1", "password": "Correct-Horse-7", "more": .string(more),
      ]
      let said = said
      let sink = CallSink<ProbeCore>(
        heard: { event, _ in said.withLock { $0.append("\(name) heard \(event.data.text)") } },
        asked: { asked, _, answer in
          said.withLock { $0.append("\(name) asked \(asked.input.text)") }
          for result in answers { answer(result) }
        },
        waits: { said.withLock { $0.append("\(name) waits") } },
        retries: { milliseconds in said.withLock { $0.append("\(name) retries \(milliseconds)") } },
        returned: { result, _ in
          let outcome =
            switch result {
            case .success(let outcome): CallReturned(call: 0, outcome: outcome).data.text
            case .failure(let error): error.message
            }
          said.withLock { $0.append("\(name) returned \(outcome)") }
        })
      return flow.call(name, arguments: arguments, on: snapshot, sink: sink)
    }

    /// Answers the oldest request with a token, a cookie, and a text.
    func answer(_ more: String) {
      let body: JSON = ["token": "token-secret-1", "more": .string(more), "odd": "answer-odd-1"]
      transport.answer(
        .success(HTTPResponse(status: 200, headers: [HTTPField("Set-Cookie", "sid=cookie-1234")], body: body.bytes)))
    }

    var observed: String {
      let records = memory.records(of: flow.stream).map { record in
        guard case .flowStarted(let started) = record.event else {
          return "\(record.revision) \(record.cause ?? -1) \(record.event.type) \(record.event.data.text)"
        }
        return "\(started.settings.text) \(started.context?.text ?? "-")"
      }
      let rest = [
        "\(flow.recordCount) \(flow.vault.count) \(time.pending) \(flow.core.openCalls.count)",
        flow.masked("token-secret-1 tok12345678 drawn-secret-1 bare-secret-1 x-undeclared-1"),
      ]
      return (said.withLock { $0 } + transport.sent.withLock { $0 } + records + rest).joined(separator: " ; ")
    }
  }

  private typealias Trial = (
    name: String, configure: (inout FlowEnvironment) -> Void, body: (Probe) -> Void
  )

  private static let quoting = "tok12345678, Correct-Horse-7, sent-code-1, token-secret-1, cookie-1234, setting-key-1"

  private static var trials: [Trial] {
    /// The flow on which a listener makes calls.
    let heldProbe = Locked<Probe?>(nil)
    return [
      (
        "answer", { _ in },
        { probe in
          probe.call("send", "of Correct-Horse-7 and setting-key-1")
          probe.answer(quoting)
          probe.flow.note(quoting + ", answer-odd-1, drawn-secret-1")
        }
      ),
      (
        "transport error", { _ in },
        { probe in
          probe.call("send")
          let detail = "refused: https://a.example/?code=tok12345678 of Correct-Horse-7"
          probe.transport.answer(.failure(TransportError(.other, detail)))
          probe.call("send", quoting)
          probe.answer(quoting)
        }
      ),
      (
        "note", { _ in },
        { probe in
          probe.flow.note("see com.app:/cb?state=tok12345678&user=ann")
          probe.flow.note(quoting)
          probe.flow.note("a $secret.key.1$ b")
        }
      ),
      (
        "context",
        {
          $0.context = FlowContext(
            app: .init(name: "of setting-key-1"), device: "org-code-1", trace: "?code=tok12345678")
        },
        { probe in probe.flow.note(quoting) }
      ),
      (
        "listener",
        {
          $0.requestListener = { request in
            var request = request
            request.headers.append(HTTPField("Authorization", "Bearer listened-token-1"))
            request.url += "&nonce=listened-nonce-1"
            return request
          }
        },
        { probe in
          probe.call("send")
          probe.answer("listened-token-1 and listened-nonce-1 " + quoting)
          probe.call("send", "listened-token-1")
          probe.answer(quoting)
        }
      ),
      (
        "calls of a listener",
        {
          $0.requestListener = { request in
            let probe = heldProbe.withLock { held in
              defer { held = nil }
              return held
            }
            probe?.flow.note("heard of Correct-Horse-7")
            probe?.call("tell")
            probe?.call("poll")
            return request
          }
        },
        { probe in
          heldProbe.withLock { $0 = probe }
          probe.call("send")
          probe.answer(quoting)
          probe.time.advance(milliseconds: 5_000)
        }
      ),
      (
        "unchanged by a listener", { $0.requestListener = { request in request } },
        { probe in
          probe.call("send")
          probe.answer(quoting)
        }
      ),
      (
        "draws", { _ in },
        { probe in
          probe.call("draw")
          probe.flow.note("bare-secret-1 " + quoting)
        }
      ),
      (
        "asked", { _ in },
        { probe in
          let detail = "no https://a.example/?code=tok12345678 of Correct-Horse-7"
          let answer: JSON = ["more": .string(quoting), "odd": "asked-odd-1"]
          probe.call("ask", "of Correct-Horse-7", answering: [.success(answer)])
          probe.flow.note("asked-odd-1 " + quoting)
          probe.call("ask", answering: [.failure(DrawFailure(.missing, detail)), .success(["more": "again"])])
          probe.flow.note(quoting)
          probe.call("ask")
        }
      ),
      (
        "late reply", { _ in },
        { probe in
          let token = probe.call("send")
          probe.flow.giveUp(token)
          probe.flow.giveUp(token)
          probe.answer(quoting)
          probe.flow.note(quoting)
        }
      ),
      (
        "late failure", { _ in },
        { probe in
          probe.call("send")
          probe.call("ask")
          probe.flow.release()
          probe.flow.release()
          probe.transport.answer(.failure(TransportError(.timedOut, "late ?code=tok12345678")))
          probe.flow.note(quoting)
        }
      ),
      (
        "limits", { $0.limits = FlowLimits(requests: 1) },
        { probe in
          probe.call("send")
          probe.answer("first")
          probe.call("send", on: probe.flow.core)
          probe.call("send")
          probe.answer("third")
        }
      ),
      (
        "records", { $0.limits = FlowLimits(recordedBytes: 900) },
        { probe in
          probe.call("send", String(repeating: "long ", count: 100))
          probe.answer("first")
          probe.call("send", on: probe.flow.core)
        }
      ),
      (
        "records without a log",
        {
          $0.recorder = nil
          $0.limits = FlowLimits(recordedBytes: 900)
        },
        { probe in
          probe.call("send", String(repeating: "long ", count: 100))
          probe.answer("first")
          probe.call("send", on: probe.flow.core)
        }
      ),
      (
        // Its revisions are counted, in a log whose long records have parts.
        "long records", { $0.recorder = StoppingRecorder(after: 100, at: .append) },
        { probe in
          probe.call("send")
          probe.answer(String(repeating: "long ", count: 60_000))
          probe.call("send", on: probe.flow.core)
        }
      ),
      (
        "records at once", { $0.limits = FlowLimits(recordedBytes: 100) },
        { probe in
          probe.call("send", quoting)
          probe.call("send", on: probe.flow.core)
        }
      ),
      (
        "timers", { _ in },
        { probe in
          probe.call("poll")
          probe.time.advance(milliseconds: 5_000)
          let token = probe.call("retry")
          probe.call("tell")
          probe.time.advance(milliseconds: 4_999)
          probe.flow.giveUp(token)
          probe.time.advance(milliseconds: 1)
        }
      ),
    ]
  }
}
