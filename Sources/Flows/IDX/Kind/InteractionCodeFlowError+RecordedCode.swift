// The names of errors in recordings.

import FlowRecording

extension InteractionCodeFlowError {
  /// The name that the error has in a `call.returned`.
  var recordedCode: String {
    switch self {
    case .invalidContext: "invalidContext"
    case .invalidFlow: "invalidFlow"
    case .platformUnsupported: "platformUnsupported"
    case .invalidUrl: "invalidUrl"
    case .cannotCreateRequest: "cannotCreateRequest"
    case .invalidHTTPResponse: "invalidHTTPResponse"
    case .invalidResponseData: "invalidResponseData"
    case .invalidRequestData: "invalidRequestData"
    case .rateLimited: "rateLimited"
    case .transactionExpired: "transactionExpired"
    case .serverError: "serverError"
    case .apiError: "apiError"
    case .internalError: "internalError"
    case .internalMessage: "internalMessage"
    case .oauthError: "oauthError"
    case .idTokenRefused: Refusal.idTokenRefused
    case .invalidParameter: "invalidParameter"
    case .invalidParameterValue: "invalidParameterValue"
    case .parameterImmutable: "parameterImmutable"
    case .missingRequiredParameter: "missingRequiredParameter"
    case .missingRemediationOption: "missingRemediationOption"
    case .unknownRemediationOption: "unknownRemediationOption"
    case .successResponseMissing: "successResponseMissing"
    case .missingRefreshToken: "missingRefreshToken"
    case .missingRelatedObject: "missingRelatedObject"
    }
  }
}
