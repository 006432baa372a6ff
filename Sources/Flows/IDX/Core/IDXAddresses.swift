// The addresses that a flow constructs itself (idx §2.1). All others come from the org.

import FlowRecording

extension IDXCore {
  /// An issuer with a path under `/oauth2` is a custom authorization server; any other is the org's own.
  var interactURL: String {
    let isCustom = URLParts(settings.issuer)?.path.utf8.starts(with: "/oauth2".utf8) == true
    return settings.issuer + (isCustom ? "/v1/interact" : "/oauth2/v1/interact")
  }

  var introspectURL: String { (URLParts(settings.issuer)?.origin ?? "") + "/idp/idx/introspect" }

  var discoveryURL: String { settings.issuer + "/.well-known/openid-configuration" }

  /// Returns one of the flow's own addresses.
  ///
  /// - Throws: `Refusal` if the issuer is not valid (RFC 8414 §2): an appended path would become part of its query or
  ///   fragment, and an empty path segment would make it a different server.
  func own(_ url: String) throws(Refusal) -> String {
    guard let issuer = URLParts(settings.issuer) else { throw .invalidUrl("the issuer is no http or https address") }
    guard issuer.query == nil, issuer.fragment == nil else {
      throw .invalidUrl("the issuer has a query or a fragment, which no issuer has (RFC 8414)")
    }
    let path = issuer.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard !path.dropFirst().contains(where: \.isEmpty), !issuer.authority.utf8.contains(UInt8(ascii: "@")) else {
      throw .invalidUrl("the issuer has an empty part in its path, or a user")
    }
    return try allowed(url)
  }

  /// Returns a URL from the org if requests may be sent to it.
  ///
  /// - Parameter carriesEntries: whether the request carries entered values, or something that is exchanged for tokens.
  ///   Such requests are sent to another origin only if the list names it.
  func allowed(_ url: String?, carriesEntries: Bool = false) throws(Refusal) -> String {
    do throws(LinkRule.Violation) {
      return try links.allowed(url, carriesEntries: carriesEntries)
    } catch {
      switch error {
      case .malformed: throw .invalidUrl("the form has no address that can be used")
      case .leavesHTTPS: throw .invalidUrl("an address leaves https")
      case .foreign(let origin):
        throw .invalidUrl(
          "an address leads to \(origin), which is not the issuer's origin: nothing was sent. "
            + "If it may have what is entered, name it in allowedOrigins")
      }
    }
  }
}
