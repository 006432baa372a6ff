import EventStore
import FlowRecording
import Foundation
import Testing

/// A call takes effect before it returns, whatever another thread is doing for the same flow.
@Suite struct CallEffectTests {
  @Test("what a call does is in the state once it was made, while another thread hands over an earlier outcome")
  func whileAnotherThreadHandsOver() async {
    let recorder = MemoryRecorder()
    let flow = Flow<CountingCore>(environment: FlowEnvironment(recorder: recorder), settings: [:])
    let seen = Locked<[Int]>([])
    await withCheckedContinuation { continuation in
      let rest = CallSink<CountingCore> { _, core in if core.count == 3 { continuation.resume() } }
      flow.call(
        "first", arguments: [:], on: nil,
        sink: CallSink { _, _ in
          // The thread here hands over the outcome of the first call, and is not done with it.
          let ended = DispatchSemaphore(value: 0)
          let other = Thread {
            for call in ["second", "third"] {
              flow.call(call, arguments: [:], on: nil, sink: rest)
              seen.withLock { $0.append(flow.core.count) }
            }
            ended.signal()
          }
          other.start()
          ended.wait()
        })
    }
    #expect(seen.withLock { $0 } == [2, 3])
    let types = recorder.records(of: flow.stream).map(\.event.type)
    #expect(types == ["flow.started"] + Array(repeating: ["call.made", "call.returned"], count: 3).flatMap { $0 })
  }

  @Test("outcomes are handed over in the order of the log")
  func order() async {
    let flow = Flow<CountingCore>(environment: FlowEnvironment(recorder: MemoryRecorder()), settings: [:])
    let heard = Locked<[Int]>([])
    await withCheckedContinuation { continuation in
      let sink = CallSink<CountingCore> { _, core in
        let isLast = heard.withLock { heard in
          heard.append(core.count)
          return heard.count == 4
        }
        if isLast { continuation.resume() }
      }
      flow.call(
        "first", arguments: [:], on: nil,
        sink: CallSink { _, core in
          for _ in 0..<3 { flow.call("again", arguments: [:], on: nil, sink: sink) }
          heard.withLock { $0.append(core.count) }
        })
    }
    #expect(heard.withLock { $0 } == [1, 2, 3, 4])
  }
}

extension CallEffectTests {
  @Test("while a step waits for the log nothing is appended; what came meanwhile follows, in order")
  func whileTheLogIsWaitedFor() async {
    let memory = MemoryRecorder()
    let log = HeldRecorder(memory)
    let flow = Flow<CountingCore>(environment: FlowEnvironment(recorder: log), settings: [:])
    let heard = Locked<[Int]>([])
    let sink = CallSink<CountingCore> { _, core in heard.withLock { $0.append(core.count) } }
    flow.call("first", arguments: [:], on: nil, sink: sink)
    let before = memory.records(of: flow.stream).count
    for call in ["second", "third"] { flow.call(call, arguments: [:], on: nil, sink: sink) }
    #expect(memory.records(of: flow.stream).count == before && flow.core.count == 1 && heard.withLock { $0 } == [])
    while log.release() {}
    #expect(memory.records(of: flow.stream).count == before + 4 && heard.withLock { $0 } == [1, 2, 3])
  }
}

/// Counts its calls, each of which returns at once.
private struct CountingCore: FlowCore {
  static var kind: String { "counting" }
  static var policy: MaskingPolicy {
    MaskingPolicy(response: .object([:]), arguments: .object([:]), settings: .object([:]), headers: [:], query: [])
  }
  var count = 0
  var openCalls: Set<Int> = []
  var snapshotRevision: Int? { nil }
  var awaitedTimers: Set<Int> { [] }
  var isOpen: Bool { false }

  mutating func fold(_ record: FlowRecord) {
    if case .callMade = record.event {
      count += 1
      openCalls.insert(record.revision)
    }
    if case .callReturned(let returned) = record.event { openCalls.remove(returned.call) }
  }

  func decide(_ input: FlowRecord, on snapshot: CountingCore?, draws: Draws) -> [FlowEvent] {
    guard case .callMade = input.event else { return [] }
    return [.callReturned(CallReturned(call: input.revision, outcome: .done))]
  }
}
