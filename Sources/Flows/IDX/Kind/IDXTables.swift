// How an Identity Engine sign-in interprets the org's vocabulary, for the digests of recordings.

import EventStore
import FlowRecording
import Foundation
import OIDC

extension IDXKind {
  package static var tables: [String: Set<String>] {
    [
      "remediations": Set(RemediationNames.known), "otherRemediations": Set(RemediationNames.others),
      "polls": IDXVocabulary.polls, "interactOptions": IDXVocabulary.interactOptions,
      "secretFields": IDXVocabulary.secretFields, "personalFields": IDXVocabulary.personalFields,
      "loginFields": IDXVocabulary.loginFields, "publicFields": IDXVocabulary.publicFields,
      "configurations": configurations, "fieldValues": fieldValues, "readings": readings,
      "spoken": spoken, "decided": decided, "changed": changed, "walks": IDXWalks.all, "submissions": submissions,
      "refusals": refusals, "pushEnds": pushEnds, "flows": FlowTrials.all, "objects": ObjectTrials.all,
      "fields": IDXVocabulary.fields,
      "optionValues": IDXVocabulary.optionValues,
      "forms": FormReference.words, "converted": converted, "summed": summed, "reported": reported, "causes": causes,
      "spelled": spelled, "scanned": scanned, "contexts": contexts, "continued": continued,
      "polled": polled,
      "options": Set(IDXPolicy.options.map { "\($0.key) \($0.value)" }),
      "errors": Set(errors.map { "\($0.recordedCode)|\($0.errorDescription ?? "")" }),
      "networks": Set(
        TransportError.Code.allCases.map {
          let failure = InteractionCodeFlowError.TransportFailure(code: $0, detail: "why")
          return
            "\($0.rawValue) \(failure.isNetwork) \(InteractionCodeFlowError.internalError(failure).errorDescription ?? "-")"
        }),
    ]
  }

  /// Property lists, with each value missing, spelled differently, or invalid.
  private static var configurations: Set<String> {
    let whole: [(String, Any)] = [
      ("issuer", "https://acme.example/oauth2/default"), ("clientId", "client-7"), ("scopes", "openid  profile"),
      ("redirectUri", "com.acme:/callback"), ("clientSecret", "s3cret"), ("logoutRedirectUri", "com.acme:/out"),
      ("acr_values", "urn:a"), ("max_age", 60), ("flag", true), ("empty", ""),
    ]
    let spelled: [[(String, Any)]] = [
      [("Issuer", "https://a.example"), ("client_id", "c"), ("scope", ["openid", "email"]), ("REDIRECT-URI", "a:/b")],
      [
        ("issuer_url", "https://a.example"), ("ClientID", "c"), ("Scopes", "a"), ("redirect_uri", "a:/b"),
        ("client_secret", "x"),
      ],
    ]
    let wrong: [(String, Any)] = [
      ("issuer", 5), ("issuer", "no address"), ("redirectUri", "no address"), ("redirectUri", ""),
      ("scopes", ["a", 5]),
    ]
    let lists =
      RuntimeTables.withEachLeftOut(of: whole) + spelled
      + wrong.map { name, value in whole.map { $0.0 == name ? (name, value) : $0 } }
    return Set(
      lists.enumerated().map { number, list in
        do {
          let read = try PropertyListConfiguration(Dictionary(list) { $1 }, source: "Okta.plist")
          let more = (read.additionalParameters ?? [:]).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
          return "\(number)|\(read.issuer)|\(read.clientId)|\(read.scopes)|\(read.redirectUri)|"
            + "\(read.clientSecret ?? "-")|\(more)|\(read.source)"
        } catch {
          return "\(number)|\(error.localizedDescription)"
        }
      })
  }

  /// How much of a field's value may be logged, for presets from the org and for input from a person.
  private static var fieldValues: Set<String> {
    let names: [String?] = [nil, "other"] + IDXVocabulary.fields.sorted()
    let values: [JSON] = [.null, true, 5, "word", "sms", "ann@acme.example", [], ["a": 1]]
    return Set(
      names.flatMap { name in
        values.flatMap { value in
          [true, false].map { isSecret in
            let schemas = [
              FieldValue.schema(of: value, name: name, isSecret: isSecret),
              FieldValue.filled(value, name: name, isSecret: isSecret, isPreset: true),
              FieldValue.filled(value, name: name, isSecret: isSecret, isPreset: false),
            ]
            let isReadable = FieldValue.isReadable(name: name, isSecret: isSecret)
            return "\(name ?? "-")|\(value.text)|\(isSecret)|\(schemas.map(\.className))|\(isReadable)"
          }
        }
      })
  }

  /// One error for each case, except for those created from an answer.
  static var errors: [InteractionCodeFlowError] {
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
