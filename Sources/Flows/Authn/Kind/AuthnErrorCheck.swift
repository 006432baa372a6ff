// Compares the errors of a call with the recording and with the org's answer.

import EventStore
import FlowRecording
import Foundation

/// Checks one error.
///
/// Not checked: the sentences of `advice`, which come from the SDK, and the bytes of a body that was not JSON, which no
/// recording contains.
struct AuthnErrorCheck {
  let error: OktaError
  /// The details in `call.returned`.
  let details: JSON
  /// The state after the call.
  let core: AuthnCore
  /// The values that replace the secrets of the flow.
  let secrets: PlayedSecrets

  /// The first member that differs, in a sentence; nil if all are correct.
  var complaint: String? {
    let text = details["text"]?.string ?? ""
    let member: String? =
      switch error {
      case .errorBuildingURLRequest(let shown), .invalidResponse(let shown), .wrongStatus(let shown),
        .internalError(let shown), .invalidParameters(let shown):
        shown == text ? nil : "the text"
      case .connectionError(let failure): connection(failure)
      case .emptyServerResponse(let status): isStatus(status) && isStatus(error.httpStatus ?? 0) ? nil : "httpStatus"
      case .responseSerializationError(let failure, let data): reading(failure, data, text)
      case .serverRespondedWithError(let response): server(response)
      case .unknownStatus(let response):
        response.json == sent && response.status?.raw == sent["status"]?.string ? nil : "the answer"
      case .unexpectedResponse, .alreadyInProgress, .cancelled: nil
      }
    return member.map { "\($0) of the error is not what was recorded" }
  }

  /// The body of the last answer, with secrets revealed.
  private var sent: JSON {
    guard case .json(let json) = core.ledger.answer?.body else { return [:] }
    return secrets.reveal(json)
  }

  private func isStatus(_ status: Int) -> Bool { status == core.ledger.answer?.status ?? 0 }

  private func connection(_ failure: any Error) -> String? {
    guard let failure = failure as? TransportError else { return "the class" }
    if failure.code.rawValue != details["code"]?.string ?? "other" { return "the code" }
    return failure.detail == details["detail"]?.string ?? "" ? nil : "the detail"
  }

  private func reading(_ failure: any Error, _ data: Data, _ text: String) -> String? {
    guard let failure = failure as? OktaReadingError else { return "the class" }
    guard failure.reason == text else { return "the reason" }
    guard failure.httpStatus == core.ledger.answer?.status else { return "httpStatus" }
    guard case .json = core.ledger.answer?.body else { return nil }
    return (try? JSON(parsing: Array(data))) == sent ? nil : "the body"
  }

  private func server(_ response: OktaAPIErrorResponse) -> String? {
    let code = sent["errorCode"]?.string
    let causes = sent["errorCauses"]?.array ?? sent["errorCause"]?.array
    var masked: JSON = [:]
    if case .json(let json) = core.ledger.answer?.body { masked = json }
    let summaries = (masked["errorCauses"]?.array ?? masked["errorCause"]?.array ?? []).compactMap {
      $0["errorSummary"]?.string
    }
    let text = summaries.isEmpty ? masked["errorSummary"]?.string ?? "Unknown" : summaries.joined(separator: "; ")
    let members = [
      ("errorCode", response.errorCode == code),
      ("errorSummary", response.errorSummary == sent["errorSummary"]?.string),
      ("errorLink", response.errorLink == sent["errorLink"]?.string),
      ("errorId", response.errorId == sent["errorId"]?.string),
      ("errorCauses", (response.errorCauses != nil) == (causes != nil)),
      ("errorCauses.errorSummary", shows(response, causes, "errorSummary", \.errorSummary)),
      ("errorCauses.domain", shows(response, causes, "domain", \.domain)),
      ("errorCauses.location", shows(response, causes, "location", \.location)),
      ("errorCauses.locationType", shows(response, causes, "locationType", \.locationType)),
      ("errorCauses.reason", shows(response, causes, "reason", \.reason)),
      ("httpStatus", response.httpStatus == core.ledger.answer?.status ?? 0),
      ("retryAfterSeconds", response.retryAfterSeconds == seconds(code)),
      ("advice", response.advice == AuthnWords.advice.first { $0.value.contains(code ?? "") }?.key),
      ("json", response.json == sent), ("description", response.description.hasSuffix(": \(text)")),
    ]
    return members.first { !$0.1 }?.0
  }

  private func shows(
    _ response: OktaAPIErrorResponse, _ causes: [JSON]?, _ name: String,
    _ member: (OktaAPIErrorResponse.ErrorCause) -> String?
  ) -> Bool {
    (response.errorCauses ?? []).map(member) == (causes ?? []).map { $0[name]?.string }
  }

  /// The seconds to wait: from the headers of a 429, or the minimum time between codes sent by phone or email (authn
  /// §9.3).
  private func seconds(_ code: String?) -> Int? {
    let fixed = ["E0000109": 30, "E0000118": 5, "E0000133": 30][code ?? ""]
    guard let answer = core.ledger.answer, answer.status == 429 else { return fixed }
    func header(_ name: String) -> String? { answer.headers.first { $0.name.lowercased() == name }?.value }
    func time(_ text: String?) -> Int? {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
      // Old servers write hyphens between day, month and year.
      return text.flatMap { formatter.date(from: $0.replacing("-", with: " ")) }.map { Int($0.timeIntervalSince1970) }
    }
    let (after, now) = (header("retry-after"), time(header("date")))
    var wait = after.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    let came = core.ledger.latest.map { Int($0.at.microseconds / 1_000_000) }
    if wait == nil, let end = time(after), let now = now ?? came { wait = end - now }
    let isOfWindow = header("x-rate-limit-limit") != "0"
    if wait == nil, time(after) == nil, isOfWindow, let now,
      let reset = header("x-rate-limit-reset").flatMap({ Int($0) })
    {
      wait = reset - now
    }
    return wait.map { min(max($0, 1), 3600) } ?? fixed
  }
}
