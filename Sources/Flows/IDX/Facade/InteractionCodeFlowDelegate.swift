// Receives everything that a flow does (idx §11.4).

public import OIDC

/// Receives all responses, tokens and errors of a flow, wherever in the application a call was made.
///
/// It is called where the caller of the method is isolated, before the closure of that call. Flows hold it weakly.
public protocol InteractionCodeFlowDelegate: AnyObject {
  /// A sign-in begins.
  func authenticationStarted<Flow>(flow: Flow) where Flow: InteractionCodeFlow
  /// A sign-in is over: there are tokens, or they are refused, it was given up, also by the end of the task that waits for `start`,
  /// it could not begin, or another one begins, which `authenticationStarted` says next. One that has begun and whose first
  /// response could not be had is not over: `resume` asks for it again.
  func authenticationFinished<Flow>(flow: Flow) where Flow: InteractionCodeFlow
  /// A response came.
  func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow
  /// Tokens came.
  func authentication<Flow>(flow: Flow, received token: Token) where Flow: InteractionCodeFlow
  /// A call failed.
  func authentication<Flow>(flow: Flow, received error: InteractionCodeFlowError) where Flow: InteractionCodeFlow
  /// A call failed; the same error as the OAuth part sees it.
  func authentication<Flow>(flow: Flow, received error: OAuth2Error) where Flow: InteractionCodeFlow
  /// The org limits how often it may be asked: a request waits for so many seconds, at most a minute in all, and is
  /// sent again.
  func authentication<Flow>(flow: Flow, retriesAfter seconds: Int) where Flow: InteractionCodeFlow
}

extension InteractionCodeFlowDelegate {
  /// Does nothing.
  public func authenticationStarted<Flow>(flow: Flow) where Flow: InteractionCodeFlow {}
  /// Does nothing.
  public func authenticationFinished<Flow>(flow: Flow) where Flow: InteractionCodeFlow {}
  /// Does nothing.
  public func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow {}
  /// Does nothing.
  public func authentication<Flow>(flow: Flow, received token: Token) where Flow: InteractionCodeFlow {}
  /// Does nothing.
  public func authentication<Flow>(
    flow: Flow, received error: InteractionCodeFlowError
  ) where Flow: InteractionCodeFlow {}
  /// Does nothing.
  public func authentication<Flow>(flow: Flow, received error: OAuth2Error) where Flow: InteractionCodeFlow {}
  /// Does nothing.
  public func authentication<Flow>(flow: Flow, retriesAfter seconds: Int) where Flow: InteractionCodeFlow {}
}

extension InteractionCodeFlowDelegate {
  func started(_ flow: InteractionCodeFlow) { authenticationStarted(flow: flow) }
  func finished(_ flow: InteractionCodeFlow) { authenticationFinished(flow: flow) }
  func received(_ response: Response, _ flow: InteractionCodeFlow) { authentication(flow: flow, received: response) }
  func received(_ token: Token, _ flow: InteractionCodeFlow) { authentication(flow: flow, received: token) }

  func retries(after seconds: Int, _ flow: InteractionCodeFlow) { authentication(flow: flow, retriesAfter: seconds) }

  func received(_ error: InteractionCodeFlowError, _ flow: InteractionCodeFlow) {
    authentication(flow: flow, received: error)
    authentication(flow: flow, received: error.oauth)
  }
}

extension InteractionCodeFlowError {
  /// The error as the OAuth part sees it.
  var oauth: OAuth2Error {
    switch self {
    case .invalidContext: .invalidContext
    case .invalidUrl: .invalidUrl
    case .cannotCreateRequest: .cannotComposeUrl
    case .oauthError(let summary, let code?, _): .server(code: code, description: summary)
    case .internalError: .network(self)
    default: .error(self)
    }
  }
}
