// What positions and names find in responses, and which objects of two responses are equal.

import EventStore
import FlowRecording
import Foundation

extension ObjectTrials {
  static var positions: [String] {
    ObjectPages.all.map { name, page in
      run("positions, \(name)", stage(page)) { stage, response in
        for place in -1...5 {
          // Of another type than positions, so that none is found outside.
          let other = Int64(place)
          let found: [String?] = [
            response.remediations[other]?.name, response.authenticators[other]?.type.stringValue,
            response.messages[other]?.message,
          ]
          stage.say("\(place) \(found.map { $0 ?? "-" })")
        }
        stage.say(response.captcha.map { "\($0.id) \($0.name)" } ?? "-")
        for authenticator in response.authenticators { say(stage, authenticator) }
        for remediation in response.remediations { say(stage, remediation) }
      }
    }
  }

  /// What the texts of an authenticator leave out.
  private static func say(_ stage: FlowTrials.Stage, _ authenticator: Authenticator) {
    let (code, duo) = (authenticator.otp, authenticator.duo)
    let context = authenticator.context ?? [:]
    var shown = Data()
    if JSONSerialization.isValidJSONObject(context) {
      shown = (try? JSONSerialization.data(withJSONObject: context, options: [.sortedKeys])) ?? shown
    }
    let phone = authenticator.profile?["phoneNumber"] ?? "-"
    stage.say("\(code.map { Array($0.imageData) } ?? []) \(duo?.signedToken ?? "-") \(duo?.script ?? "-") \(phone)")
    stage.say(String(decoding: shown, as: UTF8.self))
  }

  private static func say(_ stage: FlowTrials.Stage, _ remediation: Remediation) {
    let form = remediation.form
    let places = (-1...form.count).map { field(form, $0)?.label ?? "-" }
    let members: [Remediation.Form.Field?] = [
      remediation.identifier, form.identifier, form.frozen, remediation.userProfile?.email, form.credentials?.passcode,
      form["userProfile"]?["age"], form["credentials"]?["odd"],
    ]
    stage.say("\(places) \(members.map { $0?.label ?? "-" }) \(form.map { $0.isReadableInLog })")
    for field in form {
      let message = remediation.messages.message(for: field)?.message ?? "-"
      field.value = "changed"
      stage.say("\(field.isMutable) \(field.value?.stringValue ?? "-") \(message)")
    }
  }

  /// The field at a position, which may be outside.
  private static func field(_ form: Remediation.Form, _ place: Int) -> Remediation.Form.Field? { form[place] }

  /// The objects of a response, compared with each other and with those of the same page received again.
  static var comparisons: [String] {
    ObjectPages.all.map { name, page in
      run("compared, \(name)", stage(page, page)) { stage, response in
        do {
          let other: Response = try await stage.flow.resume()
          compare(response, other, stage)
        } catch {
          stage.say(FlowTrials.text(error))
        }
      }
    }
  }

  private static func compare(_ response: Response, _ other: Response, _ stage: FlowTrials.Stage) {
    func pairs<Value: Hashable>(_ name: String, _ values: (Response) -> [Value]) {
      let (ones, others) = (values(response), values(other))
      let (own, foreign) = (equality(ones, ones), equality(ones, others))
      stage.say("\(name) \(own) \(foreign) \(Set(ones).count) \(Set(ones + others).count)")
    }
    pairs("responses") { [$0] }
    pairs("remediations") { Array($0.remediations) }
    pairs("forms") { $0.remediations.map(\.form) }
    pairs("fields") { $0.remediations.flatMap { Array($0.form) } }
    pairs("authenticators") { Array($0.authenticators) }
    pairs("messages") { $0.messages.allMessages }
    pairs("sendable") { $0.authenticators.compactMap(\.sendable) }
    pairs("resendable") { $0.authenticators.compactMap(\.resendable) }
    pairs("recoverable") { $0.authenticators.compactMap(\.recoverable) }
    pairs("pollable") { $0.authenticators.compactMap(\.pollable) + $0.remediations.compactMap(\.pollable) }
    pairs("profile") { $0.authenticators.compactMap(\.profile) }
    pairs("settings") { $0.authenticators.compactMap(\.passwordSettings) }
    pairs("codes") { $0.authenticators.compactMap(\.otp) }
    pairs("numbers") { $0.authenticators.compactMap(\.numberChallenge) }
    pairs("providers") { $0.remediations.allSocialIdps }
    pairs("users") { [$0.user].compactMap { $0 } }
    pairs("apps") { [$0.app].compactMap { $0 } }
    pairs("captchas") { [$0.captcha].compactMap { $0 } }
  }

  private static func equality<Value: Hashable>(_ ones: [Value], _ others: [Value]) -> [String] {
    ones.map { one in others.map { one == $0 ? "1" : "0" }.joined() }
  }
}
