// What a classic sign-in knows about the org's words, for the digests of recordings.

import FlowRecording
import Foundation

extension AuthnKind {
  package static var tables: [String: Set<String>] {
    [
      "statuses": AuthnPolicy.statuses,
      "advice": Set(
        RuntimeTables.errorCodes.compactMap { code in OktaErrorAdvice(errorCode: code).map { "\(code) \($0.sentence)" }
        }),
      "throttles": Set(OktaErrorAdvice.throttles.map { "\($0) \($1)" }),
      "factors": Set(FactorType.known.map { "\($0.rawValue) \($0.description)" }),
      "intervals": intervals, "payloads": payloads, "coded": coded,
      "readings": readings, "signIns": SignInTrials.all, "spoken": spoken, "decided": decided, "changed": changed,
      "watched": watched,
      "walks": AuthnWalks.all, "described": described, "linked": linked, "summed": summed, "reported": reported,
      "restored": restored, "polled": polled,
      "errors": Set(
        errors.map { "\($0.description)|\($0.recoverySuggestion ?? "")|\($0.httpStatus.map(String.init) ?? "-")" }),
    ]
  }

  /// How a handler interprets the seconds between polls.
  private static var intervals: Set<String> {
    Set(
      [-1, 0, 0.4, 1, 1.0004, 1.5, 2.25, 5, 60, 86_400, 1e9, .infinity, .nan].map { seconds in
        let handler = OktaAuthStatusResponseHandler(pollInterval: seconds)
        let other = OktaAuthStatusResponseHandler()
        other.pollInterval = seconds
        return "\(seconds)|\(handler.pollInterval)|\(handler.pollMilliseconds)|\(other.pollMilliseconds)"
      } + ["usual|\(OktaAuthStatusResponseHandler().pollMilliseconds)"])
  }

  /// An error of each case that needs no answer.
  static var errors: [OktaError] {
    [
      .errorBuildingURLRequest, .errorBuildingURLRequest("why"), .connectionError(OktaReadingError(reason: "why")),
      .emptyServerResponse, .emptyServerResponse(httpStatus: 200), .invalidResponse, .invalidResponse("why"),
      .responseSerializationError(OktaReadingError(reason: "why", httpStatus: 200), Data([1, 2])), .unexpectedResponse,
      .wrongStatus("why"), .alreadyInProgress, .internalError("why"), .invalidParameters("why"), .cancelled,
    ]
  }
}
