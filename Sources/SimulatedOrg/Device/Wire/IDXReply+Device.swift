// Answers of the endpoints for devices.

extension IDXReply {
  /// A MyAccount answer.
  static func device(_ json: OrgJSON) -> Self {
    Self(contentType: "application/json; okta-version=1.0.0", headers: [("Cache-Control", "no-store")], json: json)
  }

  /// An answer without a body.
  static func bare(_ status: Int) -> Self { Self(status: status, contentType: "") }
}
