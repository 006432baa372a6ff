// An engine that quotes what was typed.

import EventStore
import FlowRecording
import Foundation
import IDX
import SimulatedOrg

extension IDXScenario {
  static let quotes: [IDXScenario] = [passwordsQuoted]

  /// Passwords are typed wrong, and the messages of the engine quote them.
  static let passwordsQuoted = IDXScenario("idx-passwords-quoted", org(.named("password"), [user()])) { stage in
    let quoted = QuotedSecrets.passwords
    let stage = changing(stage) { request, count in
      guard request.url.hasSuffix("/challenge/answer"), count < quoted.count else { return .none }
      let messages = QuotedSecrets.texts(quoting: quoted[count]).map { text -> JSON in
        ["message": text, "class": "ERROR", "i18n": ["key": "errors.quoted", "params": [text]]]
      }
      return .edit { response in
        response.edit { $0["messages"] = ["type": "array", "value": .array(messages)] }
      }
    }
    var response = try await stage.begin().start()
    response = try await step(try remediation(.identify, of: response), of: response, on: stage)
    for password in quoted {
      response = try await step(
        try remediation(.challengeAuthenticator, of: response), of: response, on: stage,
        as: IDXPerson(password: password))
    }
    try expect(try await lead(from: response, on: stage) != nil, "no tokens")
  }
}
