// A question to a person that an application starts by itself (OpenID Connect CIBA Core 1.0; device.md §4.10).

/// A request that waits for a device's answer.
struct BackchannelRequest {
  /// Seconds between two polls, at first and after each one that comes too soon.
  static let interval = 5

  let server: String
  let client: String
  /// Key of the account.
  let login: String
  let scopes: [String]
  let challenges: [String]
  let expires: Timestamp
  var interval = Self.interval
  var lastPoll: Timestamp?
}
