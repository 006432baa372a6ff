// Behavior of real providers, within the RFCs or slightly outside, that a client must cope with.

/// A way in which a provider differs from others.
public enum OrgProviderHabit: String, Sendable, Hashable, CaseIterable {
  /// A code, refresh token or device code that is not good is refused with 403 in place of 400.
  case forbidsBadGrants
  /// Error answers have no body: the status is all there is.
  case emptyErrors
  /// A refresh brings no ID token (OpenID Connect Core §12.2 allows it).
  case refreshesWithoutIDToken
  /// A public client cannot revoke: the endpoint wants a secret.
  case revocationNeedsSecret
  /// The redirect carries parameters that no RFC knows (`session_state`), before and after the others.
  case extraRedirectParameters
  /// The redirect names the issuer (`iss`, RFC 9207), and discovery says so.
  case namesIssuerInRedirect
  /// Token answers leave `expires_in` out.
  case omitsExpiry
  /// `expires_in` is a text.
  case textExpiry
  /// Token answers leave `scope` out.
  case omitsScope
  /// `token_type` is `bearer`, in small letters.
  case smallTokenType
  /// Discovery names only the required endpoints: no userinfo, introspection, revocation or logout.
  case bareDiscovery
  /// Discovery has `null` for missing values.
  case nullsInDiscovery
}
