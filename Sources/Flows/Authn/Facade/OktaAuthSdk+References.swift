// The entry points by their full documented names, for references such as `let start =
// OktaAuthSdk.authenticate(with:username:password:onStatusChange:onError:)`. A call uses the overload that captures the
// caller's isolation.

public import Foundation

extension OktaAuthSdk {
  /// `authenticate` as the seed documents write it, for method references.
  @_disfavoredOverload
  public class func authenticate(
    with url: URL, username: String, password: String?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    authenticate(
      with: url, username: username, password: password, onStatusChange: onStatusChange, onError: onError,
      isolation: nil)
  }

  /// `unlockAccount` as the seed documents write it, for method references.
  @_disfavoredOverload
  public class func unlockAccount(
    with url: URL, username: String, factorType: OktaRecoveryFactors?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    unlockAccount(
      with: url, username: username, factorType: factorType, onStatusChange: onStatusChange, onError: onError,
      isolation: nil)
  }

  /// `recoverPassword` as the seed documents write it, for method references.
  @_disfavoredOverload
  public class func recoverPassword(
    with url: URL, username: String, factorType: OktaRecoveryFactors,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    recoverPassword(
      with: url, username: username, factorType: factorType, onStatusChange: onStatusChange, onError: onError,
      isolation: nil)
  }

  /// `recover` as the seed documents write it, for method references.
  @_disfavoredOverload
  public class func recover(
    with recoveryToken: String, using url: URL,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    recover(with: recoveryToken, using: url, onStatusChange: onStatusChange, onError: onError, isolation: nil)
  }

  /// `fetchStatus` as the seed documents write it, for method references.
  @_disfavoredOverload
  public class func fetchStatus(
    with stateToken: String, using url: URL,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    fetchStatus(with: stateToken, using: url, onStatusChange: onStatusChange, onError: onError, isolation: nil)
  }
}
