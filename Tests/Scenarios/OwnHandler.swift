// A response handler as an application may write one: what it makes of answers is in the recording.

import Authn
import FlowRecording

/// Takes the answers of a flow as its words say, in their order, and all after them as the SDK does.
final class OwnHandler: OktaAuthStatusResponseHandler, @unchecked Sendable {
  /// What becomes of an answer.
  enum Word: Sendable {
    /// What the SDK makes of it.
    case usual
    /// The object that was called is handed over again.
    case kept
    /// A status of no class of its own is handed over, however little the answer has.
    case bare
    /// An error of the SDK's kind.
    case refused
    /// An error of the application's own.
    case foreign
    /// Nothing, until `decide` is called.
    case later
  }

  private struct Foreign: Error {}

  private let words: Locked<[Word]>
  private let waiting = Locked<[@Sendable () -> Void]>([])
  private let isForeign = Locked(false)

  init(_ words: [Word]) {
    self.words = Locked(words)
    super.init()
  }

  /// How many answers wait to be decided.
  var undecided: Int { waiting.withLock { $0.count } }

  /// Decides what was put off.
  func decide() {
    let decisions = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for decide in decisions { decide() }
  }

  override func handleServerResponse(
    _ response: OktaAPIRequest.Result, currentStatus: OktaAuthStatus,
    onStatusChanged: @escaping (OktaAuthStatus) -> Void, onError: @escaping (OktaError) -> Void,
    onFactorStatusUpdate: ((OktaAPISuccessResponse.FactorResult) -> Void)?
  ) {
    let word = words.withLock { $0.isEmpty ? .usual : $0.removeFirst() }
    switch word {
    case .kept: return onStatusChanged(currentStatus)
    case .refused: return onError(.wrongStatus("The application does not take it."))
    case .bare:
      if case .success(let answer) = response,
        let status = try? OktaAuthStatus(currentState: currentStatus, model: answer)
      {
        return onStatusChanged(status)
      }
    case .later:
      nonisolated(unsafe) let answer = onStatusChanged
      return waiting.withLock { $0.append { answer(currentStatus) } }
    case .foreign: isForeign.withLock { $0 = true }
    case .usual: break
    }
    super.handleServerResponse(
      response, currentStatus: currentStatus, onStatusChanged: onStatusChanged, onError: onError,
      onFactorStatusUpdate: onFactorStatusUpdate)
  }

  override func createAuthStatus(
    basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
  ) throws -> OktaAuthStatus {
    let isForeign = isForeign.withLock { isForeign in
      defer { isForeign = false }
      return isForeign
    }
    if isForeign { throw Foreign() }
    return try super.createAuthStatus(basedOn: response, and: currentStatus)
  }
}
