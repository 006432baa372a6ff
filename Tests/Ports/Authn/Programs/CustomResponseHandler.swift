// «SDK Extension» of the seed document: a response handler that hands over subclasses with members of their own.

import Authn
import Foundation

/// A required factor that knows the application's own favourite.
class FavouriteFactorRequired: OktaAuthStatusFactorRequired, @unchecked Sendable {
  var favourite: OktaFactor? { availableFactors.first { $0.type == .TOTP } ?? availableFactors.first }
}

class FavouriteResponseHandler: OktaAuthStatusResponseHandler, @unchecked Sendable {
  override func createAuthStatus(
    basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
  ) throws -> OktaAuthStatus {
    guard let statusType = response.status else { throw OktaError.invalidResponse }
    if statusType == .MFARequired {
      return try FavouriteFactorRequired(currentState: currentStatus, model: response)
    }
    return try super.createAuthStatus(basedOn: response, and: currentStatus)
  }
}

final class FavouriteSignIn {
  let unauthenticatedStatus: OktaAuthStatusUnauthenticated

  init(url: URL) {
    unauthenticatedStatus = OktaAuthStatusUnauthenticated(oktaDomain: url, responseHandler: FavouriteResponseHandler())
  }

  func signIn(_ username: String, _ password: String, finished: @escaping (String) -> Void) {
    unauthenticatedStatus.authenticate(
      username: username, password: password,
      onStatusChange: { status in
        let favourite = (status as? FavouriteFactorRequired)?.favourite
        finished("\(status.statusType.rawValue), favourite \(favourite?.type.rawValue ?? "none")")
      },
      onError: { error in finished(error.description) })
  }
}
