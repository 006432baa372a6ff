// How answers become statuses, to the extent that an application may control it (authn §14.1).

import EventStore
import FlowRecording
public import Foundation

/// Follows a transaction from status to status, and determines how often a factor is polled.
open class OktaAuthStatusResponseHandler: @unchecked Sendable {
  // `@unchecked`: mutable state is behind locks; a subclass is responsible for what it adds.
  private let interval: Locked<TimeInterval>
  private let followed = Locked<[Followed]>([])
  private let onceSent = Locked(true)

  /// A flow that the handler follows, as long as the application holds it.
  private struct Followed {
    weak var flow: Flow<AuthnCore>?
  }

  /// Seconds from the answer to one poll to the next poll; at least 1, at most a day. A new value applies from the next
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

  /// The poll interval as recorded.
  final var pollMilliseconds: Int { Int((pollInterval * 1000).rounded()) }

  /// Whether a new interval applies when the request of a call is sent; not in recordings of versions in which a
  /// refused call's interval counted too.
  final var intervalCountsOnceSent: Bool {
    get { onceSent.withLock { $0 } }
    set { onceSent.withLock { $0 = newValue } }
  }

  /// Stops the polling of the transactions that the handler follows. Their closures are not called, and the
  /// transactions can continue; `OktaAuthStatus.cancel` cancels a transaction.
  open func cancel() {
    for flow in followed.withLock({ $0.compactMap(\.flow) }) where flow.core.poll != nil {
      flow.call(AuthnCall.stopPolling.rawValue, arguments: [:], on: nil, sink: CallSink(returned: { _, _ in }))
    }
  }

  /// Starts following a flow.
  final func follow(_ flow: Flow<AuthnCore>) {
    followed.withLock { followed in
      followed.removeAll { $0.flow == nil }
      followed.append(Followed(flow: flow))
    }
  }

  /// Decides what an answer means by calling one of the first two closures, once, now or later.
  ///
  /// Override it to change when the SDK polls, or how errors are handled; `super` has the default behavior: it
  /// continues polling while a factor is pending, and otherwise delivers the result of `createAuthStatus`. It runs
  /// where the application is called back. Answers to `cancel`, to activation links and to lists of questions are not
  /// passed here, nor are failed polls that are retried.
  ///
  /// The decision of an override is recorded, so that a replay does not need the application's code.
  ///
  /// - Parameters:
  ///   - response: the answer, or why there is none.
  ///   - currentStatus: the object that was called.
  ///   - onStatusChanged: receives the status to hand over.
  ///   - onError: receives the error to hand over.
  ///   - onFactorStatusUpdate: calls the application's own closure. The SDK has already called it for this answer.
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

  /// Makes the status object of an answer. Override it to return subclasses, or statuses that the SDK does not model.
  ///
  /// - Parameters:
  ///   - response: the answer.
  ///   - currentStatus: the object that was called.
  /// - Returns: the status to deliver.
  /// - Throws: an `OktaError` is delivered as it is; any other error as `unexpectedResponse`.
  open func createAuthStatus(
    basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
  ) throws -> OktaAuthStatus {
    guard let status = response.reading.status else { throw OktaError.invalidResponse }
    if let refusal = AuthnReply.refusal(of: response.reading, status) {
      throw refusal.code == Refusal.unknownStatusCode ? OktaError.unknownStatus(response) : .invalidResponse
    }
    return OktaAuthStatus.make(response.origin?.object ?? currentStatus.object) ?? currentStatus
  }

  /// Whether this is the SDK's own handler, which does not have to be asked.
  final var isStandard: Bool { type(of: self) == OktaAuthStatusResponseHandler.self }
}
