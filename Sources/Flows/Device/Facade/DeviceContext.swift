// What all objects of one authenticator share.

import EventStore
import FlowRecording
import Foundation

/// The seams and services of an authenticator, and the challenges that its application holds.
package final class DeviceContext: Sendable {
  let environment: FlowEnvironment
  let services: DeviceServices
  let desk = ChallengeDesk()
  let settings: JSON
  let apsEnvironment: String
  /// The context of a replay; `nil` for a live authenticator.
  let replay: DeviceReplay?

  init(
    environment: FlowEnvironment, services: DeviceServices, settings: JSON, apsEnvironment: String,
    replay: DeviceReplay? = nil
  ) {
    self.environment = environment
    self.services = services
    self.settings = settings
    self.apsEnvironment = apsEnvironment
    self.replay = replay
  }

  /// Creates a flow; in a replay, returns the one that is running. Each flow has its own answerer, since the answerer
  /// keeps a receipt.
  func begin() -> DeviceFlow {
    if let flow = replay?.flow { return flow }
    var environment = environment
    environment[DeviceSeam.self] = DrawAnswerer(services: services)
    return DeviceFlow(FlowSession(settings: settings, environment: environment), self)
  }

  /// The enrollment as it is currently stored.
  func stored(_ id: String) -> StoredEnrollment? { try? services.storage.enrollment(id: id) }
}

/// One flow of an authenticator.
package final class DeviceFlow: Sendable {
  let session: FlowSession<DeviceCore>
  let context: DeviceContext

  init(_ session: FlowSession<DeviceCore>, _ context: DeviceContext) {
    self.session = session
    self.context = context
  }

  var flow: Flow<DeviceCore> { session.flow }
  var lanes: CallbackLanes { session.lanes }

  /// Makes a call. The closures run on the thread that drains the flow.
  @discardableResult
  func call(
    _ name: DeviceCall, _ arguments: [(String, JSON?)],
    heard: @escaping @Sendable (DomainEvent, DeviceCore) -> Void = { _, _ in },
    returned: @escaping @Sendable (Result<DeviceCore, DeviceAuthenticatorError>) -> Void
  ) -> CallToken {
    let sink = CallSink<DeviceCore>(
      heard: heard,
      returned: { [self] result, core in returned(self.result(result, core)) })
    let token = flow.call(name.rawValue, arguments: .members(arguments), on: nil, sink: sink)
    Completion.begun?.began { [flow] in flow.giveUp(token) }
    return token
  }

  /// Makes a call and waits for its end. Use this only for calls that need neither the network nor the person.
  func wait(_ name: DeviceCall, _ arguments: [(String, JSON?)]) -> Result<DeviceCore, DeviceAuthenticatorError> {
    let done = DispatchSemaphore(value: 0)
    let outcome = Locked<Result<DeviceCore, DeviceAuthenticatorError>?>(nil)
    call(name, arguments) { result in
      outcome.withLock { $0 = result }
      done.signal()
    }
    context.replay?.waits(done)
    done.wait()
    return outcome.withLock { $0 } ?? .failure(.internalError("the call has no outcome"))
  }

  private func result(
    _ result: Result<CallReturned.Outcome, AuditError>, _ core: DeviceCore
  ) -> Result<DeviceCore, DeviceAuthenticatorError> {
    switch result {
    case .failure(let error): .failure(.auditUnavailable(error.message))
    case .success(.done), .success(.status): .success(core)
    case .success(.cancelled): .failure(.genericError("The call was given up."))
    case .success(.failed(let code, let details)):
      .failure(DeviceAuthenticatorError(code: code, details: details, self))
    }
  }
}

/// A closure that runs on the actor from which a call was made.
typealias Delivery = CallerDelivery
