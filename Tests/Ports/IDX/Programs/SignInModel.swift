// A view model on the main actor, as SwiftUI applications have it: buttons start tasks, and the state is published.

import Foundation
import IDX

@MainActor
final class SignInModel {
  enum Page: Equatable {
    case loading
    case form(title: String)
    case signedIn
    case failed(String)
  }

  private(set) var pages: [Page] = [.loading]
  private var response: Response?
  private let flow: InteractionCodeFlow
  var username = ""
  var password = ""
  var changed: (() -> Void)?

  init(flow: InteractionCodeFlow) { self.flow = flow }

  private func show(_ page: Page) {
    pages.append(page)
    changed?()
  }

  func appear() {
    Task {
      do {
        try await advance(to: flow.start())
      } catch {
        show(.failed(error.localizedDescription))
      }
    }
  }

  func continueTapped() {
    guard let remediation = response?.remediations.first else { return }
    remediation["identifier"]?.value = username
    remediation["credentials.passcode"]?.value = password
    Task {
      do {
        let next = try await remediation.proceed()
        try await advance(to: next)
      } catch {
        show(.failed(error.localizedDescription))
      }
    }
  }

  private func advance(to response: Response) async throws {
    MainActor.assertIsolated()
    self.response = response
    if response.isLoginSuccessful {
      let token = try await response.exchangeCode()
      MainActor.assertIsolated()
      show(token.accessToken.isEmpty ? .failed("no token") : .signedIn)
    } else {
      show(.form(title: response.remediations.first?.name ?? "none"))
    }
  }
}
