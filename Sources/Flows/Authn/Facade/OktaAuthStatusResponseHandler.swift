// How answers become statuses, as far as an application may set it (authn §14.1).

import EventStore
import FlowRecording
public import Foundation

/// Follows a transaction from status to status, and says how often a factor is polled.
open class OktaAuthStatusResponseHandler: @unchecked Sendable {
  // `@unchecked`: what changes is behind locks; a subclass answers for what it adds.
  private let interval: Locked<TimeInterval>
  private let followed = Locked<[Followed]>([])

  /// A flow that the handler follows, as long as the application has it.
  private struct Followed {
    weak var flow: Flow<AuthnCore>?
  }

  /// Seconds from the answer to one poll to the next poll; at least 1, at most a day. A new value holds from the next
  /// call on.
  public var pollInterval: TimeInterval {
    get { interval.withLock { $0 } }
    set { interval.withLock { $0 = Self.bounded(newValue) } }
  }

  /// Makes a handler.
  ///
  /// - Parameter pollInterval: seconds between polls; less than 1 is taken as 1.
  public init(pollInterval: TimeInterval = 5) { interval = Locked(Self.bounded(pollInterval)) }

  private static func bounded(_ seconds: TimeInterval) -> TimeInterval { seconds >= 1 ? min(seconds, 86_400) : 1 }

  /// The poll interval as a recording has it.
  final var pollMilliseconds: Int { Int((pollInterval * 1000).rounded()) }

  /// Stops the polling of the transactions that the handler follows. Their closures stay silent, and the transactions
  /// can go on; `OktaAuthStatus.cancel` drops a transaction.
  open func cancel() {
    for flow in followed.withLock({ $0.compactMap(\.flow) }) where flow.core.poll != nil {
      flow.call(AuthnCall.stopPolling.rawValue, arguments: [:], on: nil, sink: CallSink(returned: { _, _ in }))
    }
  }

  /// Takes up a flow.
  final func follow(_ flow: Flow<AuthnCore>) {
    followed.withLock { followed in
      followed.removeAll { $0.flow == nil }
      followed.append(Followed(flow: flow))
    }
  }

  /// Says what an answer means: calls one of the first two closures, once, now or later.
  ///
  /// Override it to change when the SDK polls, or what becomes of errors; `super` does what the SDK does by itself: it
  /// polls on while a factor waits, and else hands over what `createAuthStatus` makes. It runs where the application is
  /// called back. Answers to `cancel`, to activation links and to lists of questions do not come here, nor do lost
  /// polls that are tried again.
  ///
  /// What an override decides is recorded, so that a replay needs none of the application's code.
  ///
  /// - Parameters:
  ///   - response: the answer, or why there is none.
  ///   - currentStatus: the object that was called.
  ///   - onStatusChanged: gets the status to hand over.
  ///   - onError: gets the error to hand over.
  ///   - onFactorStatusUpdate: reaches the application's own closure. The SDK has called it for this answer already.
  open func handleServerResponse(
    _ response: OktaAPIRequest.Result, currentStatus: OktaAuthStatus,
    onStatusChanged: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    switch response {
    case .error(let error): onError(error)
    case .success(let success):
      if success.factorResult == .waiting, success.status == currentStatus.statusType, let poll = success.origin?.poll {
        return poll()
      }
      do {
        onStatusChanged(try createAuthStatus(basedOn: success, and: currentStatus))
      } catch let error as OktaError {
        onError(error)
      } catch {
        onError(.unexpectedResponse)
      }
    }
  }

  /// Makes the status object of an answer. Override it to hand over subclasses, or statuses that the SDK does not
  /// model.
  ///
  /// - Parameters:
  ///   - response: the answer.
  ///   - currentStatus: the object that was called.
  /// - Returns: the status to hand over.
  /// - Throws: `OktaError` as it is; any other error reaches the application as `unexpectedResponse`.
  open func createAuthStatus(
    basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
  ) throws -> OktaAuthStatus {
    guard let status = response.reading.status else { throw OktaError.invalidResponse }
    if let refusal = AuthnReply.refusal(of: response.reading, status) {
      throw refusal.code == Refusal.unknownStatusCode ? OktaError.unknownStatus(response) : .invalidResponse
    }
    return OktaAuthStatus.make(response.origin?.object ?? currentStatus.object) ?? currentStatus
  }

  /// Whether this is the SDK's own handler, which need not be asked.
  final var isStandard: Bool { type(of: self) == OktaAuthStatusResponseHandler.self }
}
