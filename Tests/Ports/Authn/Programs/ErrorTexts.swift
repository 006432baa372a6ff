// A text for each error, and the parts of an error of the org.

import Authn
import Foundation

enum ErrorTexts {
  static func text(for error: OktaError) -> String {
    switch error {
    case .errorBuildingURLRequest: return "The request could not be built"
    case .connectionError(let error): return "Offline: \(error.localizedDescription)"
    case .emptyServerResponse, .invalidResponse, .unexpectedResponse: return "The server is confused"
    case .responseSerializationError(let error, let data): return "\(data.count) bytes: \(error)"
    case .serverRespondedWithError(let errorResponse):
      var lines = [errorResponse.errorSummary ?? "server error"]
      lines += errorResponse.errorCauses?.compactMap { $0.errorSummary } ?? []
      return lines.joined(separator: " / ") + " [\(errorResponse.errorCode ?? "?")]"
    case .wrongStatus(let text), .internalError(let text), .invalidParameters(let text): return text
    case .alreadyInProgress: return "One at a time"
    case .unknownStatus(let response): return "What is \(response.status?.rawValue ?? "?")?"
    default: return error.description
    }
  }

  /// Tries to sign in, twice at once if asked.
  static func provoke(_ url: URL, _ password: String, twice: Bool = false, then: @escaping (String) -> Void) {
    let status = OktaAuthStatusUnauthenticated(oktaDomain: url)
    status.authenticate(
      username: "ann@acme.example", password: password,
      onStatusChange: { status in if !twice { then(status.statusType.rawValue) } },
      onError: { error in if !twice { then(text(for: error)) } })
    if twice {
      status.authenticate(
        username: "ann@acme.example", password: password, onStatusChange: { then($0.statusType.rawValue) },
        onError: { then(text(for: $0)) })
    }
  }
}
