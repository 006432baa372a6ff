// A text for each error of a flow.

import Foundation
import IDX

enum FlowErrors {
  static func text(_ error: Error) -> String {
    guard let error = error as? InteractionCodeFlowError else { return "other: \(type(of: error))" }
    switch error {
    case .invalidContext, .invalidFlow: return "start again"
    case .serverError(let message, let localizationKey, _): return "\(localizationKey): \(message)"
    case .apiError(let error): return "api: \(error)"
    case .internalError(let error): return "network: \(error)"
    case .internalMessage(let text): return text
    case .oauthError(let summary, let code, _): return "\(code ?? "-"): \(summary)"
    case .missingRequiredParameter(let name): return "\(name) is missing"
    case .invalidParameterValue(let name, let type): return "\(name) is no \(type)"
    case .unknownRemediationOption(let name): return "no \(name)"
    case .successResponseMissing: return "not yet"
    default: return error.localizedDescription
    }
  }

  /// What the org says of a session that has ended.
  static func serverMessage(_ error: InteractionCodeFlowError) -> String? { IDXServerError(error)?.message }

  static func tooEarly(_ response: Response) async -> String {
    do {
      _ = try await response.exchangeCode()
      return "a token"
    } catch {
      return text(error)
    }
  }

  static func unfilled(_ remediation: Remediation) async -> String {
    do {
      _ = try await remediation.proceed()
      return "a response"
    } catch {
      return text(error)
    }
  }
}
