// A table of the factors that can be set up, and the generic `enroll` for whichever row is tapped.

import Authn
import Foundation

final class EnrollmentTable: AuthBaseViewController {
  var factors: [OktaFactor] { (status as? OktaAuthStatusFactorEnroll)?.availableFactors ?? [] }
  var ended: ((String) -> Void)?

  func textLabel(row: Int) -> String {
    let factor = factors[row]
    return "\(factor.factor.factorType.description) (\(factor.factor.enrollment?.lowercased() ?? ""))"
  }

  func detailTextLabel(row: Int) -> String {
    let factor = factors[row]
    return "Status: \(factor.factor.status ?? "unknown") Vendor: \(factor.factor.vendorName ?? "unknown")"
  }

  func select(row: Int, phone: String) {
    let factor = factors[row]
    guard factor.canEnroll(), (status as? OktaAuthStatusFactorEnroll)?.canEnrollFactor(factor: factor) == true else {
      return showError(message: "cannot be set up")
    }
    factor.enroll(
      questionId: nil, answer: nil, credentialId: nil, passCode: nil, phoneNumber: phone,
      onStatusChange: { status in self.ended?("\(status.statusType.rawValue): \(self.provider(of: status))") },
      onError: { error in self.ended?(error.description) })
  }

  private func provider(of status: OktaAuthStatus) -> String {
    guard let activate = status as? OktaAuthStatusFactorEnrollActivate else { return "?" }
    return activate.factor.provider?.rawValue ?? "?"
  }
}
