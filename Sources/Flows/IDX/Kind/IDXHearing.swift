// The events that a delegate receives from a flow, compared with the records.

import EventStore
import FlowRecording
import OIDC

/// Observes a flow and notes the events that it receives.
final class IDXHearing: InteractionCodeFlowDelegate, Sendable {
  private struct State: @unchecked Sendable {
    var heard: [String] = []
    /// The last error, whose OAuth form is expected next.
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

  /// Notes that the caller of a call was called back.
  func callerIsCalled(_ call: Int) { hear("call \(call)") }

  /// The event that a delegate or caller must receive for a record, and the call that it belongs to.
  struct News: Sendable {
    /// The revisions of the record and of its cause.
    var (revision, cause): (Int, Int?)
    var content: Content

    enum Content: Sendable {
      /// `isAnew`: whether a sign-in was already in progress.
      case call(isAnew: Bool)
      case retry(milliseconds: Int)
      /// `isOver`: whether no sign-in remains after a `start` with this outcome.
      case returned(CallReturned, isOver: Bool)
      /// Nothing is received, but other records may lead back to a call through this one.
      case none
    }

    /// Determines what must be received for a record.
    ///
    /// - Parameter core: the state before the record; the record is folded into it.
    init(_ record: FlowRecord, in core: inout IDXCore) {
      (revision, cause) = (record.revision, record.cause)
      let isAnew = core.isAuthenticating
      core.fold(record)
      content =
        switch record.event {
        case .callMade: .call(isAnew: isAnew)
        case .timerSet(let timer): timer.purpose == "retry" ? .retry(milliseconds: timer.duration) : .none
        case .callReturned(let end): .returned(end, isOver: core.isOver(after: end.outcome))
        case .flowStarted, .flowEnded, .requestSent, .responseReceived, .requestFailed, .drawAsked, .drawMade,
          .timerFired, .noteAdded, .domain:
          .none
        }
    }
  }

  /// Describes how the received events differ from the records; `nil` if they do not.
  ///
  /// - Parameters:
  ///   - news: the expected events of all records, in order.
  ///   - calls: the calls made through their public forms, keyed by revision.
  ///   - silent: returns whether a call was made without a closure.
  func complaint(_ news: [News], _ calls: [Int: IDXCall], silent: (Int) -> Bool) -> String? {
    var expected: [String] = []
    for one in news {
      switch one.content {
      case .call(let isAnew):
        if calls[one.revision] == .start { expected += isAnew ? ["finished", "started"] : ["started"] }
      case .retry(let milliseconds):
        if Self.isBegun(one, byOneOf: calls, news) { expected.append("retry after \(milliseconds / 1000)") }
      case .returned(let end, let isOver):
        if let call = calls[end.call] {
          expected += Self.lines(end, call, isOver).filter { $0 != "call \(end.call)" || !silent(end.call) }
        }
      case .none: break
      }
    }
    let heard = state.withLock { $0.heard }
    guard heard != expected else { return nil }
    let place = zip(heard, expected).prefix { $0 == $1 }.count
    let (one, other) = (heard.dropFirst(place).first ?? "nothing", expected.dropFirst(place).first ?? "nothing")
    return "a delegate heard «\(one)» where it should hear «\(other)»"
  }

  /// Whether a record follows from one of the calls.
  private static func isBegun(_ one: News, byOneOf calls: [Int: IDXCall], _ news: [News]) -> Bool {
    var cause = one.cause
    while let revision = cause {
      if calls[revision] != nil { return true }
      // Records are sorted by revision.
      let place = news.partitioningIndex { $0.revision >= revision }
      cause = place < news.count && news[place].revision == revision ? news[place].cause : nil
    }
    return false
  }

  private static func lines(_ end: CallReturned, _ call: IDXCall, _ isOver: Bool) -> [String] {
    let back = "call \(end.call)"
    switch end.outcome {
    case .status: return ["response", back]
    case .done:
      if call == .exchangeCode || call == .exchangeRedirect { return ["token", "finished", back] }
      return call == .reset ? ["finished"] : []
    case .failed(let code, _):
      let isOver = call == .start ? isOver : code == "idTokenRefused"
      let lines = ["error \(code)", "its form of OAuth"] + (isOver ? ["finished"] : [])
      return call == .reset || call == .stopPolling ? lines : lines + [back]
    case .cancelled: return call == .start && isOver ? ["finished"] : []
    }
  }
}
