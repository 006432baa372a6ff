// What a sign-in of the Identity Engine knows of the org's words, for the digests of recordings.

import FlowRecording
import OIDC

extension IDXKind {
  package static var tables: [String: Set<String>] {
    [
      "remediations": Set(RemediationNames.known), "otherRemediations": Set(RemediationNames.others),
      "polls": IDXVocabulary.polls, "interactOptions": IDXVocabulary.interactOptions,
      "secretFields": IDXVocabulary.secretFields, "personalFields": IDXVocabulary.personalFields,
      "loginFields": IDXVocabulary.loginFields, "publicFields": IDXVocabulary.publicFields,
      "fields": IDXVocabulary.fields, "optionValues": IDXVocabulary.optionValues, "forms": FormReference.words,
      "options": Set(IDXPolicy.options.map { "\($0.key) \($0.value)" }),
      "errors": Set(errors.map { "\($0.recordedCode)|\($0.errorDescription ?? "")" }),
    ]
  }

  /// An error of each case, but for those that are made of an answer.
  private static var errors: [InteractionCodeFlowError] {
    let details = InteractionCodeFlowError.Details(httpStatus: 500, reason: "why")
    return [
      .invalidContext, .invalidFlow, .platformUnsupported, .invalidUrl, .invalidUrl(details), .cannotCreateRequest,
      .cannotCreateRequest(details), .invalidHTTPResponse, .invalidHTTPResponse(details), .invalidResponseData,
      .invalidResponseData(details), .invalidRequestData, .invalidRequestData(details), .internalMessage("why"),
      .oauthError(summary: "why", code: "access_denied", errorId: "id"),
      .oauthError(summary: "why", code: nil, errorId: nil), .idTokenRefused(IDTokenFailure("aud", .mismatch)),
      .invalidParameter(name: "name"), .invalidParameterValue(name: "name", type: "type"),
      .parameterImmutable(name: "name"), .missingRequiredParameter(name: "name"),
      .missingRemediationOption(name: "name"), .unknownRemediationOption(name: "name"), .successResponseMissing,
      .missingRefreshToken, .missingRelatedObject, .rateLimited(retryAfter: 7), .transactionExpired,
    ]
  }
}
