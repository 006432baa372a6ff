// What a delegate hears of a flow, and what it should by the records.

import EventStore
import FlowRecording
import OIDC

/// Listens to a flow, and writes down what it hears.
final class IDXHearing: InteractionCodeFlowDelegate, Sendable {
  private struct State: @unchecked Sendable {
    var heard: [String] = []
    /// The last error, whose form of the OAuth part comes next.
    var error: InteractionCodeFlowError?
  }

  private let state = Locked(State())

  private func hear(_ line: String) { state.withLock { $0.heard.append(line) } }

  func authenticationStarted<Flow>(flow: Flow) where Flow: InteractionCodeFlow { hear("started") }
  func authenticationFinished<Flow>(flow: Flow) where Flow: InteractionCodeFlow { hear("finished") }

  func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow {
    hear("response")
  }

  func authentication<Flow>(flow: Flow, received token: Token) where Flow: InteractionCodeFlow { hear("token") }

  func authentication<Flow>(
    flow: Flow, received error: InteractionCodeFlowError
  ) where Flow: InteractionCodeFlow {
    state.withLock { state in
      state.heard.append("error \(error.recordedCode)")
      state.error = error
    }
  }

  func authentication<Flow>(flow: Flow, received error: OAuth2Error) where Flow: InteractionCodeFlow {
    state.withLock { state in
      let isRight = state.error.map { IDXErrorCheck.isSame(error, $0) } ?? false
      state.heard.append(isRight ? "its form of OAuth" : "another error of OAuth")
      state.error = nil
    }
  }

  func authentication<Flow>(flow: Flow, retriesAfter seconds: Int) where Flow: InteractionCodeFlow {
    hear("retry after \(seconds)")
  }

  /// Writes down that the caller of a call was called back.
  func callerIsCalled(_ call: Int) { hear("call \(call)") }

  /// What was heard otherwise than the records say, in a sentence; nil if it was all.
  ///
  /// - Parameters:
  ///   - calls: the names of the calls that were made by their public forms, by revision.
  ///   - silent: whether a call was made without a closure.
  func complaint(_ records: [FlowRecord], _ calls: [Int: IDXCall], silent: (Int) -> Bool) -> String? {
    var expected: [String] = []
    for record in records {
      switch record.event {
      case .callMade: if calls[record.revision] == .start { expected.append("started") }
      case .timerSet(let timer):
        if timer.purpose == "retry", Self.isBegun(record, byOneOf: calls, records) {
          expected.append("retry after \(timer.milliseconds / 1000)")
        }
      case .callReturned(let end):
        if let call = calls[end.call] {
          expected += Self.lines(end, call).filter { $0 != "call \(end.call)" || !silent(end.call) }
        }
      case .flowStarted, .flowEnded, .requestSent, .responseReceived, .requestFailed, .drawAsked, .drawMade,
        .timerFired, .noteAdded, .domain:
        break
      }
    }
    let heard = state.withLock { $0.heard }
    guard heard != expected else { return nil }
    let place = zip(heard, expected).prefix { $0 == $1 }.count
    let (one, other) = (heard.dropFirst(place).first ?? "nothing", expected.dropFirst(place).first ?? "nothing")
    return "a delegate heard «\(one)» where it should hear «\(other)»"
  }

  /// Whether a record follows from one of the calls.
  private static func isBegun(_ record: FlowRecord, byOneOf calls: [Int: IDXCall], _ records: [FlowRecord]) -> Bool {
    var cause = record.cause
    while let revision = cause {
      if calls[revision] != nil { return true }
      cause = records.first { $0.revision == revision }?.cause
    }
    return false
  }

  private static func lines(_ end: CallReturned, _ call: IDXCall) -> [String] {
    let back = "call \(end.call)"
    switch end.outcome {
    case .status: return ["response", back]
    case .done:
      if call == .exchangeCode || call == .exchangeRedirect { return ["token", "finished", back] }
      return call == .reset ? ["finished"] : []
    case .failed(let code, _):
      let lines = ["error \(code)", "its form of OAuth"] + (call == .start ? ["finished"] : [])
      return call == .reset || call == .stopPolling ? lines : lines + [back]
    case .cancelled: return []
    }
  }
}
