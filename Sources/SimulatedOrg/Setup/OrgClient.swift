// An application that may start a sign-in (idx.md §2).

/// A client of the org's authorization servers.
public struct OrgClient: Sendable, Equatable {
  /// `client_id`.
  public var id: String
  /// The redirect URIs registered, compared exactly.
  public var redirectURIs: [String]
  /// The secret of a confidential client; `nil` for a public one.
  public var secret: String?
  /// The application's name on the sign-in page.
  public var label: String

  /// A client.
  public init(id: String, redirectURIs: [String], secret: String? = nil, label: String = "Sample App") {
    self.id = id
    self.redirectURIs = redirectURIs
    self.secret = secret
    self.label = label
  }

  /// A public client: `0oa1sampleapp0000001`, `com.example.app:/callback`.
  public static let sample = OrgClient(id: "0oa1sampleapp0000001", redirectURIs: ["com.example.app:/callback"])
}
