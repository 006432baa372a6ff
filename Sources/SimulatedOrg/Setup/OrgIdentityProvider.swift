// Another party that identifies a person (idx.md §13.5).

/// An identity provider that is offered on the first page.
public struct OrgIdentityProvider: Sendable, Equatable {
  /// Its id in the org.
  public var id: String
  /// The name on the button.
  public var name: String
  /// The service, such as `GOOGLE` or `SAML2`.
  public var service: String
  /// The login of the user who comes back from there; `nil` when the provider refuses.
  public var login: String?

  /// A provider. A browser that opens its address comes back as `login`, without a question.
  public init(id: String, name: String, service: String, login: String?) {
    self.id = id
    self.name = name
    self.service = service
    self.login = login
  }
}
