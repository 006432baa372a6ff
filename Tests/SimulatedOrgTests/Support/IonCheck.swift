// What every answer of the engine has to be: JSON, ION, and nothing that leads nowhere (idx.md §4).

import Foundation
import Testing

@testable import SimulatedOrg

enum IonCheck {
  /// Records an issue for everything that is wrong with an answer.
  static func check(_ reply: WireReply, _ org: SimulatedOrg, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(reply.status < 500, "\(reply.bodyText)", sourceLocation: sourceLocation)
    guard let body = try? JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any] else {
      Issue.record("no JSON object: \(reply.bodyText)", sourceLocation: sourceLocation)
      return
    }
    if body["errorCode"] is String {
      #expect(reply.header("Content-Type") == "application/json", sourceLocation: sourceLocation)
      return
    }
    #expect(reply.header("Content-Type") == "application/ion+json; okta-version=1.0.0", sourceLocation: sourceLocation)
    #expect(body["version"] as? String == "1.0.0", sourceLocation: sourceLocation)
    let remediation = body["remediation"] as? [String: Any]
    let forms = remediation?["value"] as? [[String: Any]] ?? []
    if remediation != nil {
      #expect(remediation?["type"] as? String == "array" && !forms.isEmpty, sourceLocation: sourceLocation)
    }
    let paths = targets(body)
    for form in forms + [body["cancel"] as? [String: Any]].compactMap(\.self) {
      check(form, paths, org, sourceLocation: sourceLocation)
    }
    for name in ["currentAuthenticator", "currentAuthenticatorEnrollment"] {
      let authenticator = (body[name] as? [String: Any])?["value"] as? [String: Any] ?? [:]
      for action in ["resend", "send", "poll", "recover"] {
        if let form = authenticator[action] as? [String: Any] {
          check(form, paths, org, sourceLocation: sourceLocation)
        }
      }
    }
    if forms.isEmpty, body["successWithInteractionCode"] == nil {
      #expect(!messages(reply).isEmpty, "a dead end without a word: \(reply.bodyText)", sourceLocation: sourceLocation)
    }
    if reply.status >= 400 {
      #expect(
        !messages(reply).isEmpty, "\(reply.status) without a word: \(reply.bodyText)", sourceLocation: sourceLocation)
    }
  }

  private static func check(
    _ form: [String: Any], _ paths: Set<String>, _ org: SimulatedOrg, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let name = form["name"] as? String ?? ""
    #expect(!name.isEmpty, sourceLocation: sourceLocation)
    let href = form["href"] as? String ?? ""
    #expect(href.hasPrefix(org.url.absoluteString + "/"), "\(name) leads to \(href)", sourceLocation: sourceLocation)
    let path = String(href.dropFirst(org.url.absoluteString.count).prefix { $0 != "?" })
    let route = IDXRoute(path: path)
    #expect(route != nil, "\(name) leads to \(path), which is not served", sourceLocation: sourceLocation)
    #expect(route?.method == form["method"] as? String, sourceLocation: sourceLocation)
    for target in form["relatesTo"] as? [String] ?? [] {
      #expect(
        paths.contains(target), "\(name) relates to \(target), which is not there", sourceLocation: sourceLocation)
    }
    for field in form["value"] as? [[String: Any]] ?? [] {
      for option in field["options"] as? [[String: Any]] ?? [] {
        #expect(option["label"] is String, sourceLocation: sourceLocation)
        if let target = option["relatesTo"] as? String {
          #expect(
            paths.contains(target), "\(name) has an option for \(target), which is not there",
            sourceLocation: sourceLocation)
        }
      }
    }
  }

  /// What `relatesTo` may name.
  private static func targets(_ body: [String: Any]) -> Set<String> {
    var paths: Set<String> = []
    for name in ["currentAuthenticator", "currentAuthenticatorEnrollment"] where body[name] != nil {
      paths.insert("$.\(name)")
    }
    if body["webauthnAutofillUIChallenge"] != nil { paths.insert("webauthnAutofillUIChallenge") }
    for name in ["authenticators", "authenticatorEnrollments"] {
      let list = (body[name] as? [String: Any])?["value"] as? [Any] ?? []
      for index in list.indices { paths.insert("$.\(name).value[\(index)]") }
    }
    return paths
  }

  /// Keys of all messages, those of the step first.
  static func messages(_ reply: WireReply) -> [String] {
    let own = keys(reply.value("messages"))
    let forms = reply.value("remediation.value") as? [[String: Any]] ?? []
    return own + forms.flatMap { nested($0["value"]) }
  }

  private static func nested(_ fields: Any?) -> [String] {
    (fields as? [[String: Any]] ?? []).flatMap { field -> [String] in
      let form = (field["form"] as? [String: Any])?["value"]
      let options = (field["options"] as? [[String: Any]] ?? []).flatMap { option in
        nested(((option["value"] as? [String: Any])?["form"] as? [String: Any])?["value"])
      }
      return keys(field["messages"]) + nested(form) + options
    }
  }

  private static func keys(_ messages: Any?) -> [String] {
    let list = (messages as? [String: Any])?["value"] as? [[String: Any]] ?? []
    return list.compactMap { ($0["i18n"] as? [String: Any])?["key"] as? String }
  }
}
