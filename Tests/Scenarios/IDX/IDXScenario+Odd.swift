// What the Identity Engine may say and the simulated org never does, and a client that a file configures.

import EventStore
import FlowRecording
import Foundation
import IDX
import SimulatedOrg

extension IDXScenario {
  static let odd: [IDXScenario] = [propertyList, oddAnswers, taskCancelled]

  /// A client that is configured by a property list, with a secret and a parameter of its own.
  static let propertyList = IDXScenario("idx-property-list", org(.named("password"), [user()])) { stage in
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let values = [
      "issuer": Stage.orgURL + "/oauth2/default", "clientId": OrgClient.sample.id,
      "scopes": "openid profile  offline_access", "redirectUri": OrgClient.sample.redirectURIs[0],
      "clientSecret": "secret-of-the-list", "login_hint": "ann+list@acme.example",
    ]
    let file = folder.appendingPathComponent("Okta.plist")
    try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0).write(to: file)
    let flow = try stage.environment.run { try InteractionCodeFlow(plist: file) }
    _ = try await leadAnyhow(from: try await flow.start(), on: stage)
    withExtendedLifetime(flow) {}
  }

  /// Intents, a form that no one asked for, and fields in it that are secret or hidden by what they say alone.
  static let oddAnswers = IDXScenario("idx-odd-answers", org(.named("password"), [user()])) { stage in
    let intents = ["CREDENTIAL_RECOVERY", "CREDENTIAL_MODIFY", "CREDENTIAL_ENROLLMENT", "CREDENTIAL_UNENROLLMENT"]
    let asked = Locked(0)
    let stage = changing(stage) { request, _ in
      guard request.url.contains("/idp/idx/") else { return .none }
      let number = asked.withLock { asked in
        defer { asked += 1 }
        return asked
      }
      return .edit { response in
        response.edit { answer in
          if answer["intent"] != nil { answer["intent"] = .string(intents[number % intents.count]) }
          guard var forms = answer["remediation"]?.object, let list = forms["value"]?.array else { return }
          forms["value"] = .array(list + [oddForm])
          answer["remediation"] = .object(forms)
        }
      }
    }
    let response = try await stage.begin().start()
    try expect(response.remediations.count > 1, "the form is not there")
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }

  /// The task that waits for a push is cancelled.
  static let taskCancelled = IDXScenario("idx-task-cancelled", org(.named("codes-only"), [user(push)])) { stage in
    let flow = stage.begin()
    let pollable = try await pollable(stage, flow)
    let polling = Task { try await pollable.startPolling() }
    await stage.time.waitForTimers()
    polling.cancel()
    guard case .failure(let error) = await polling.result, error is CancellationError else {
      throw Scenario.Unexpected(description: "polling should have ended")
    }
    withExtendedLifetime(flow) {}
  }

  private static let oddForm: JSON = [
    "rel": ["create-form"], "name": "odd-form", "href": .string(Stage.orgURL + "/idp/idx/odd"), "method": "POST",
    "produces": "application/ion+json; okta-version=1.0.0", "accepts": "application/json; okta-version=1.0.0",
    "value": [
      ["name": "firstName", "label": "Memo", "secret": true, "value": "word-of-the-memo"],
      ["name": "lid", "label": "Lid", "visible": false, "mutable": true, "required": false],
      ["name": "lock", "label": "Lock", "visible": false, "mutable": false, "required": true, "value": "shut"],
    ],
  ]
}
