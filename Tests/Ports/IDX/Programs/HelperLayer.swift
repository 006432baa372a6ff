// A layer of the application's own between screens and SDK, which knows of no actor; and a class from before actors.

import Foundation
import IDX

struct IdentityService {
  let flow: InteractionCodeFlow

  func begin(_ completion: @escaping (Result<Response, InteractionCodeFlowError>) -> Void) {
    flow.start(completion: completion)
  }

  func answer(
    _ remediation: Remediation, _ values: [String: String],
    _ completion: @escaping (Result<Response, InteractionCodeFlowError>) -> Void
  ) {
    for (name, value) in values { remediation[name]?.value = value }
    remediation.proceed(completion: completion)
  }
}

@MainActor
final class ServedScreen {
  private let service: IdentityService
  private(set) var titles: [String] = []
  private let finished: (String) -> Void

  init(flow: InteractionCodeFlow, finished: @escaping (String) -> Void) {
    service = IdentityService(flow: flow)
    self.finished = finished
  }

  func appear(_ username: String, _ password: String) {
    service.begin { result in
      MainActor.assertIsolated()
      self.show(result, username, password)
    }
  }

  private func show(
    _ result: Result<Response, InteractionCodeFlowError>, _ username: String, _ password: String
  ) {
    guard case .success(let response) = result, let remediation = response.remediations.first,
      !response.isLoginSuccessful
    else { return finished(titles.joined(separator: " ")) }
    titles.append(remediation.name)
    service.answer(remediation, ["identifier": username, "credentials.passcode": password]) { result in
      MainActor.assertIsolated()
      self.show(result, username, password)
    }
  }
}

/// A class that never said where it lives, and is used from the main thread alone.
final class LegacyLogin: InteractionCodeFlowDelegate {
  private let flow: InteractionCodeFlow
  private(set) var places: [Bool] = []
  private let finished: (String) -> Void

  init(flow: InteractionCodeFlow, finished: @escaping (String) -> Void) {
    self.flow = flow
    self.finished = finished
    flow.add(delegate: self)
  }

  func begin() {
    flow.start { [weak self] _ in self?.heard("closure") }
  }

  func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow {
    places.append(MainQueue.isCurrent)
  }

  private func heard(_ text: String) {
    places.append(MainQueue.isCurrent)
    finished("\(text) \(places)")
  }
}
