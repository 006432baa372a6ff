// What may be set up is left for later.

import Authn
import Foundation

extension OktaAuthStatusFactorEnroll {
  /// The factors that must be set up.
  var mandatory: [OktaFactor] { availableFactors.filter { $0.enrollment == "REQUIRED" && $0.status != "ACTIVE" } }

  func leaveForLater(_ then: @escaping (Result<OktaAuthStatus, OktaError>) -> Void) {
    guard mandatory.isEmpty, canSkipEnrollment() else {
      then(.failure(.wrongStatus("\(mandatory.count) must be set up")))
      return
    }
    skipEnrollment(onStatusChange: { then(.success($0)) }, onError: { then(.failure($0)) })
  }
}
