// «Responding to events using InteractionCodeFlowDelegate» of the seed document.

import Foundation
import IDX

class LoginManager: InteractionCodeFlowDelegate {
  private let flow: InteractionCodeFlow
  let username: String
  let password: String
  var events: [String] = []
  var finished: ((String) -> Void)?

  init(flow: InteractionCodeFlow, username: String, password: String) {
    self.flow = flow
    self.username = username
    self.password = password
    flow.add(delegate: self)
  }

  func start() {
    flow.start { result in
      switch result {
      case .failure(let error): self.finished?(error.localizedDescription)
      case .success(_): break
      }
    }
  }

  func authenticationStarted<Flow>(flow: Flow) where Flow: InteractionCodeFlow { events.append("started") }

  func authenticationFinished<Flow>(flow: Flow) where Flow: InteractionCodeFlow {
    events.append("finished")
    flow.remove(delegate: self)
    finished?(events.joined(separator: " "))
  }

  func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow {
    events.append(response.remediations.first?.name ?? "success")
    guard !response.isLoginSuccessful else {
      response.exchangeCode()
      return
    }

    if let remediation = response.remediations[.identify] {
      remediation["identifier"]?.value = username
      remediation["credentials.passcode"]?.value = password
      remediation.proceed()
    } else if let remediation = response.remediations[.challengeAuthenticator],
      response.authenticators.current?.type == .password
    {
      remediation["credentials.passcode"]?.value = password
      remediation.proceed()
    }
  }

  func authentication<Flow>(flow: Flow, received token: Token) where Flow: InteractionCodeFlow {
    do {
      try Credential.store(token)
      events.append("stored")
    } catch {
      events.append("\(error)")
    }
  }

  func authentication<Flow>(flow: Flow, received error: OAuth2Error) { events.append("error") }
}
