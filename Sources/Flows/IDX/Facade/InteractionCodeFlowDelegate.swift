// Receives the events of a flow (idx §11.4).

public import OIDC

/// Receives all responses, tokens, and errors of a flow, no matter where in the application a call was made.
///
/// It is called on the caller's isolation, before the closure of the call. Flows hold it weakly.
public protocol InteractionCodeFlowDelegate: AnyObject {
  /// A sign-in begins.
  func authenticationStarted<Flow>(flow: Flow) where Flow: InteractionCodeFlow
  /// A sign-in is over: tokens were returned or rejected, it was cancelled (also by cancelling the task that waits for
  /// `start`), it could not begin, or another one begins, which `authenticationStarted` reports next. A sign-in whose
  /// first response was not received is not over: `resume` requests it again.
  func authenticationFinished<Flow>(flow: Flow) where Flow: InteractionCodeFlow
  /// A response was received.
  func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow
  /// Tokens were received.
  func authentication<Flow>(flow: Flow, received token: Token) where Flow: InteractionCodeFlow
  /// A call failed.
  func authentication<Flow>(flow: Flow, received error: InteractionCodeFlowError) where Flow: InteractionCodeFlow
  /// A call failed; this is the same error in its OAuth form.
  func authentication<Flow>(flow: Flow, received error: OAuth2Error) where Flow: InteractionCodeFlow
  /// The org limits requests. The request waits for this many seconds, at most one minute in total, and is then sent
  /// again.
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
  /// The error in its OAuth form.
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
