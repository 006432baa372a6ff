// A factor that the SDK has no class for, as Okta's sample verifies a YubiKey.

import Authn

class YubiKeyFactor {
  class func verifyFactor(
    _ factor: OktaFactorOther, stateToken: String, passCode: String,
    onStatusChange: @escaping (OktaAuthStatus) -> Void,
    onError: @escaping (OktaError) -> Void
  ) {
    guard let link = factor.factor.links?.verify ?? factor.factor.links?.next else {
      return onError(.wrongStatus("no link"))
    }
    var bodyParams: [String: Any] = [:]
    bodyParams["stateToken"] = stateToken
    bodyParams["factorType"] = "token:hardware"
    bodyParams["passCode"] = passCode
    bodyParams["provider"] = "YUBICO"
    factor.sendRequest(
      with: link, keyValuePayload: bodyParams,
      onStatusChange: { status in
        onStatusChange(status)
      }
    ) { error in
      onError(error)
    }
  }
}
