// Which storage to use, and as which user. Both come from the environment, as with other programs for such storages.
package import EventStore
import FlowRecording

/// The address of a storage, and the credentials for it. No description of it contains the secret parts.
package struct ObjectAccess: Sendable, CustomStringConvertible, CustomReflectable {
  /// Scheme, host and port, without a slash at the end.
  let endpoint: String
  /// The value of the header `Host`.
  let host: String
  /// The region that requests are signed for.
  let region: String
  /// The file of the certificate authorities for checking the server's certificate; nil uses the system's.
  let authorities: String?
  /// The access key ID.
  let accessKey: String
  /// The secret key; it never leaves this process.
  let secretKey: String
  /// The session token of temporary credentials.
  let sessionToken: String?

  /// The access that the environment describes: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`,
  /// `AWS_REGION` or `AWS_DEFAULT_REGION` (else us-east-1), `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL` (else Amazon's
  /// of that region), `AWS_CA_BUNDLE`.
  ///
  /// - Parameter endpoint: takes precedence over the environment.
  ///
  /// Throws `invalid` if credentials are missing, or if the endpoint is neither an `https` address nor an `http`
  /// address of this machine.
  package init(endpoint given: String? = nil, environment: [String: String]) throws(StoreError) {
    func value(_ names: String...) -> String? {
      for name in names {
        if let value = environment[name], !value.isEmpty { return value }
      }
      return nil
    }
    guard let accessKey = value("AWS_ACCESS_KEY_ID"), let secretKey = value("AWS_SECRET_ACCESS_KEY") else {
      throw StoreError(
        .invalid, "there are no credentials for the object storage",
        advice: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment")
    }
    let token = value("AWS_SESSION_TOKEN")
    guard Self.isGraphic(accessKey), token.map(Self.isGraphic) ?? true else {
      throw StoreError(
        .invalid, "AWS_ACCESS_KEY_ID or AWS_SESSION_TOKEN has a letter that no credentials have",
        advice: "look for a line end or a space in it")
    }
    let region = value("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1"
    guard region.utf8.count <= 64, region.utf8.allSatisfy(RequestSigner.isPlain) else {
      throw StoreError(.invalid, "AWS_REGION is no name of a region", advice: "give one such as eu-central-1")
    }
    (self.accessKey, self.secretKey, sessionToken, self.region) = (accessKey, secretKey, token, region)
    authorities = value("AWS_CA_BUNDLE")
    (endpoint, host) = try Self.address(
      given ?? value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? "https://s3.\(region).amazonaws.com")
  }

  private static func isGraphic(_ text: String) -> Bool { text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

  /// The endpoint as libcurl normalizes it, and its host.
  private static func address(_ given: String) throws(StoreError) -> (endpoint: String, host: String) {
    var text = given.lowercased()
    while text.hasSuffix("/") { text.removeLast() }
    let allowed = Array("abcdefghijklmnopqrstuvwxyz0123456789.-:[]".utf8)
    let scheme = text.hasPrefix("https://") ? "https" : "http"
    guard text.hasPrefix(scheme + "://"), let parts = URLParts(text), !parts.authority.isEmpty,
      text == scheme + "://" + parts.authority, parts.authority.utf8.allSatisfy(allowed.contains)
    else {
      // It may hold a password, so it is not repeated.
      throw StoreError(
        .invalid, "the endpoint is not an address of a scheme, a host and a port",
        advice: "give one such as https://s3.example.com or http://127.0.0.1:9000")
    }
    guard scheme == "https" || parts.isLoopback else {
      throw StoreError(
        .invalid, "the endpoint \(text) would send records in clear text over the network",
        advice: "give an https address")
    }
    let usual = scheme == "https" ? ":443" : ":80"
    let host = parts.authority.hasSuffix(usual) ? String(parts.authority.dropLast(usual.count)) : parts.authority
    return (scheme + "://" + host, host)
  }

  /// The endpoint and the region alone.
  package var description: String { "\(endpoint) (\(region))" }

  /// As `description`: a dump of it reveals no secret either.
  package var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint, "region": region]) }
}
