// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Okta's sample `EmbeddedAuthWithSDKs`, in other words: any sign-in, drawn from what the responses say.

import Foundation
import IDX

enum SigninError: Error {
  case genericError(message: String)
  case stepUnsupported
}

/// Leads from response to response, each on a screen of its own.
@MainActor
public class Signin {
  private let navigationController = UINavigationController()
  private var completion: ((Token?, Error?) -> Void)?
  let flow: InteractionCodeFlow
  let browser: (URL) -> URL?
  /// Called with each screen.
  var arrived: ((RemediationScreen) -> Void)?

  init(using flow: InteractionCodeFlow, browser: @escaping (URL) -> URL? = { _ in nil }) {
    self.flow = flow
    self.browser = browser
  }

  func signin(completion: @escaping (Token?, Error?) -> Void) {
    self.completion = completion
    flow.start { response, error in
      guard let response = response else {
        self.failure(with: error ?? SigninError.stepUnsupported)
        return
      }
      self.proceed(to: response)
    }
  }

  func buttonTitle(for option: Remediation?) -> String? {
    guard let option = option else { return "Restart" }
    switch option.type {
    case .skip: return "Skip"
    case .selectEnrollProfile: fallthrough
    case .enrollProfile: return "Sign Up"
    case .selectIdentify: fallthrough
    case .identify: return "Sign In"
    case .redirectIdp:
      guard let socialOption = option.socialIdp else { return "Social Login" }
      switch socialOption.service {
      case .facebook: return "Login with Facebook"
      case .google: return "Login with Google"
      default: return "Social Login"
      }
    case .selectAuthenticatorAuthenticate: return "Choose"
    case .launchAuthenticator: return "Launch Authenticator"
    case .cancel: return "Restart"
    case .unlockAccount: return "Unlock Account"
    default: return "Continue"
    }
  }

  func proceed(to response: Response) {
    if response.isLoginSuccessful {
      response.exchangeCode { token, error in
        if let token = token {
          self.success(with: token)
        } else {
          self.failure(with: error ?? SigninError.stepUnsupported)
        }
      }
      return
    }
    guard !response.remediations.isEmpty else {
      failure(with: SigninError.genericError(message: response.messages.first?.message ?? "Nothing to do"))
      return
    }
    let controller = RemediationScreen(response: response, signin: self)
    navigationController.setViewControllers([controller], animated: true)
    arrived?(controller)
  }

  func failure(with error: Error) {
    guard let completion = completion else { return }
    self.completion = nil
    completion(nil, error)
  }

  func success(with token: Token) {
    guard let completion = completion else { return }
    self.completion = nil
    completion(token, nil)
  }
}

/// Draws one response.
final class RemediationScreen: UIViewController {
  let response: Response
  private weak var signin: Signin?
  private(set) var rows: [Signin.Row] = []
  let pollActivityIndicator = UIActivityIndicatorView()

  init(response: Response, signin: Signin) {
    self.response = response
    self.signin = signin
    super.init()
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = response.app?.label
    rows = response.remediationForm()
    if let poll = response.authenticators.current?.pollable { beginPolling(using: poll) }
  }

  var shouldShowNavigationBar: Bool {
    guard let app = response.app else { return true }
    return !app.label.isEmpty && !response.remediations.isEmpty
  }

  func proceed(to remediationOption: Remediation?) {
    guard let signin = signin else { return }
    if let socialAuth = remediationOption?.socialIdp {
      let flow = signin.flow
      guard let callbackURL = signin.browser(socialAuth.redirectUrl) else {
        return signin.failure(with: SigninError.genericError(message: "Could not authenticate"))
      }
      switch flow.redirectResult(for: callbackURL) {
      case .authenticated:
        flow.exchangeCode(redirect: callbackURL) { token, error in
          if let error = error {
            signin.failure(with: error)
          } else if let token = token {
            signin.success(with: token)
          }
        }
      case .remediationRequired:
        flow.resume { response, error in
          if let error = error {
            signin.failure(with: error)
          } else if let response = response {
            signin.proceed(to: response)
          }
        }
      case .invalidContext, .invalidRedirectUrl: return
      }
      return
    }
    remediationOption?.proceed { [weak self] response, error in
      self?.handle(response, error)
    }
  }

  func cancelAction() {
    response.cancel { [weak self] response, error in self?.handle(response, error) }
  }

  func enrollment(action: Signin.EnrollmentAction) {
    switch action {
    case .send:
      response.authenticators.current?.sendable?.send { [weak self] response, error in self?.handle(response, error) }
    case .resend:
      response.authenticators.current?.resendable?.resend { [weak self] response, error in
        self?.handle(response, error)
      }
    case .recover:
      response.authenticators.current?.recoverable?.recover { [weak self] response, error in
        self?.handle(response, error)
      }
    }
  }

  private func beginPolling(using poll: Capability.Pollable) {
    guard let signin = signin else { return }
    pollActivityIndicator.startAnimating()
    poll.startPolling { [weak self] response, error in
      guard let response = response else {
        self?.pollActivityIndicator.stopAnimating()
        poll.stopPolling()
        return
      }
      signin.proceed(to: response)
    }
  }

  private func handle(_ response: Response?, _ error: Error?) {
    guard let response = response else {
      signin?.failure(with: error ?? SigninError.stepUnsupported)
      return
    }
    signin?.proceed(to: response)
  }
}
