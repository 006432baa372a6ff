import EventStore
import FlowRecording
import Foundation
import Testing

@testable import IDX

/// Every submission of the corpus: the form is filled as a user fills it, and the body sent is the expected one.
@Suite struct SubmissionTests {
  @Test("every item of the corpus", .enabled(if: Corpus.isThere, Comment(rawValue: Corpus.missing)))
  func corpus() async throws {
    let items = try JSON(parsing: try Corpus.body("idx-submissions.json"))["items"]?.array ?? []
    #expect(items.count > 40)
    for (index, item) in items.enumerated() { try await check(item, index) }
  }

  private func check(_ item: JSON, _ index: Int) async throws {
    let file = try #require(item["response"]?.string)
    let form = try #require(item["form"]?.string)
    let name = try #require(item["name"]?.string)
    let expected = try #require(item["body"])
    let body = try JSON(parsing: try Corpus.body(file))
    // The samples are of orgs under names of their own; the flow is given the issuer that goes with them.
    let path = try #require(item["path"]?.string)
    let script = IDXScript(body, ION.identify)
    let flow = script.flow(issuer: "http://localhost:3000/oauth2/default")
    let response = try await flow.start()
    let title = "\(index) \(file) \(name)"
    switch form {
    case "remediation":
      let remediation = try #require(response.remediations[name], "\(title)")
      Self.fill(remediation.form, expected)
      try Self.answer(remediation, expected["credentials"] ?? [:])
      _ = try await remediation.proceed()
    case "cancel": _ = try await response.cancel()
    case "currentAuthenticator.recover":
      _ = try await #require(response.authenticators.current?.recoverable).recover()
    case "currentAuthenticatorEnrollment.poll":
      let firing = script.firing(10_000)
      _ = try await #require(response.authenticators.current?.pollable).startPolling()
      firing.cancel()
    default: Issue.record("\(title): an unknown form \(form)")
    }
    let sent = try #require(script.transport.requests.last)
    #expect(sent.method == item["method"]?.string, "\(title)")
    #expect(sent.url.hasSuffix(path), "\(title) went to \(sent.url)")
    var members = try JSON(parsing: sent.body ?? []).sorted
    if case .object(var object) = members {
      if expected["stateHandle"] == nil {
        // Some samples were put together from two transactions; the form's own handle counts.
        #expect(object["stateHandle"]?.string?.isEmpty == false, "\(title)")
        object["stateHandle"] = nil
      }
      members = .object(object)
    }
    #expect(members.text == expected.sorted.text, "\(title)")
    try await script.expectWhole(flow, title)
  }

  /// Fills what a program knows: the answers of a security key.
  static func answer(_ remediation: Remediation, _ credentials: JSON) throws {
    func data(_ name: String) -> Data { credentials[name]?.string.flatMap { Data(base64Encoded: $0) } ?? Data() }
    if credentials["attestation"] != nil {
      let registration = try #require(remediation.webAuthnRegistration)
      try registration.register(attestation: data("attestation"), clientJSON: data("clientData"))
    } else if credentials["authenticatorData"] != nil {
      let authentication = try #require(remediation.webAuthnAuthentication)
      try authentication.challenge(
        authenticatorData: data("authenticatorData"), clientData: data("clientData"),
        signatureData: data("signatureData"), userHandle: credentials["userHandle"]?.string.map { Data($0.utf8) })
    }
  }

  /// Fills what a person sees so that the form says what is expected.
  static func fill(_ form: Remediation.Form, _ expected: JSON) {
    for field in form {
      guard let target = field.name.map({ expected[$0] }) ?? expected else { continue }
      let fitting = field.options?.first { option in
        if let form = option.form { return fits(form, target) }
        return option.value.map { FormValues.json($0) == target } ?? false
      }
      if let fitting {
        field.selectedOption = fitting
        if let form = fitting.form { fill(form, target) }
      } else if let nested = field.form {
        fill(nested, target)
      } else if let value = FormValues.value(target) {
        field.value = value
      }
    }
  }

  /// Whether an option's presets say nothing else than is expected, and it has a field for all of it.
  private static func fits(_ form: Remediation.Form, _ target: JSON) -> Bool {
    let names = Set(form.allFields.compactMap(\.name))
    guard (target.object?.members ?? []).allSatisfy({ names.contains($0.key) }) else { return false }
    return form.allFields.allSatisfy { field in
      guard !field.isMutable, let name = field.name, let value = field.value, let wanted = target[name] else {
        return true
      }
      return FormValues.json(value) == wanted
    }
  }
}
