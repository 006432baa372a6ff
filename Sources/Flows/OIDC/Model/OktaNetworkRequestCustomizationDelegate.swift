// How an application looks at requests and changes them (oidc §10, late era).

public import FlowRecording

/// Sees each request of a client before it leaves, and each answer. What it adds to a request is recorded as a secret: see
/// `FlowEnvironment.requestListener`, whose rules are those of this protocol. It is called on threads of the SDK and must be
/// quick.
public protocol OktaNetworkRequestCustomizationDelegate: AnyObject, Sendable {
  /// The request that leaves instead of this one, secrets included.
  func customizableURLRequest(_ request: HTTPRequest) -> HTTPRequest
  /// An answer has come, secrets included; it cannot be changed.
  func didReceive(_ response: HTTPResponse)
}

extension OktaNetworkRequestCustomizationDelegate {
  /// The request as it is.
  public func customizableURLRequest(_ request: HTTPRequest) -> HTTPRequest { request }
  /// Nothing.
  public func didReceive(_ response: HTTPResponse) {}
}
