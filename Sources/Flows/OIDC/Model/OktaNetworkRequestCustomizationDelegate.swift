// How an application observes and changes requests (oidc §10, late era).

public import FlowRecording

/// Sees each request of a client before it leaves, and each answer. What it adds to a request is recorded as a secret:
/// see `FlowEnvironment.requestListener`, whose rules are those of this protocol. It is called on threads of the SDK
/// and must return quickly.
public protocol OktaNetworkRequestCustomizationDelegate: AnyObject, Sendable {
  /// Returns the request to send instead of this one, including secrets.
  func customizableURLRequest(_ request: HTTPRequest) -> HTTPRequest
  /// Called with each answer, including secrets; it cannot be changed.
  func didReceive(_ response: HTTPResponse)
}

extension OktaNetworkRequestCustomizationDelegate {
  /// The request as it is.
  public func customizableURLRequest(_ request: HTTPRequest) -> HTTPRequest { request }
  /// Nothing.
  public func didReceive(_ response: HTTPResponse) {}
}
