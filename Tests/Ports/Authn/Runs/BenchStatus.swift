import Authn
import Testing

extension Bench {
  /// Signs in up to the first status.
  func status<Status: OktaAuthStatus>(as type: Status.Type) async throws -> Status {
    let status = try await OktaAuthSdk.authenticate(
      with: url, username: Bench.login, password: Bench.password, environment: environment)
    return try #require(status as? Status)
  }
}
