// Open Cybersecurity Schema Framework 1.6.0 (schema.ocsf.io): Authentication, class 3002, and Account Change, class
// 3001.

import EventStore
import FlowRecording

/// Security events in OCSF, one JSON document each.
enum OCSF {
  static let version = "1.6.0"

  static func json(of event: SecurityEvent) -> JSON {
    let change = event.action.isAccountChange
    let (classNumber, className) = change ? (3001, "Account Change") : (3002, "Authentication")
    let activity = number(of: event.action)
    let activityName = event.action.words
    let typeName = "\(className): \(activity == 99 ? "Other" : activityName)"
    let general: [(String, JSON?)] = [
      ("activity_id", .int(activity)), ("activity_name", .string(activityName)), ("category_uid", 3),
      ("category_name", "Identity & Access Management"), ("class_uid", .int(classNumber)),
      ("class_name", .string(className)), ("type_uid", .int(classNumber * 100 + activity)),
      ("type_name", .string(typeName)), ("time", milliseconds(event.evidence.at)),
      ("start_time", milliseconds(event.flow.started)), ("end_time", milliseconds(event.evidence.at)),
      ("duration", .int(Int(max(0, event.evidence.at.microseconds - event.flow.started.microseconds) / 1_000))),
    ]
    return .members(general + outcome(of: event) + subject(of: event) + [("unmapped", unmapped(event))])
  }

  private static func outcome(of event: SecurityEvent) -> [(String, JSON?)] {
    let (status, words): (Int, String) =
      switch event.result {
      case .success: (1, "Success")
      case .failure: (2, "Failure")
      case .other(let word): (99, word)
      case .open: (0, "Unknown")
      }
    let isGrave = event.action == .lock
    return [
      ("severity_id", .int(isGrave ? 3 : 1)), ("severity", .string(isGrave ? "Medium" : "Informational")),
      ("status_id", .int(status)), ("status", .string(words)), ("status_code", event.code.map(JSON.string)),
      ("status_detail", event.detail.map(JSON.string)),
      ("message", .string("\(event.action.words) of \(event.flow.user ?? "an unknown user"): \(event.result.words)")),
    ]
  }

  private static func subject(of event: SecurityEvent) -> [(String, JSON?)] {
    let factors = event.factors.map { factor -> JSON in
      ["factor_type": .string(factor), "factor_type_id": .int(number(ofFactor: factor))]
    }
    let authentication: [(String, JSON?)] =
      event.action.isAccountChange
      ? []
      : [
        ("service", ["name": .string(event.host ?? "unknown")]),
        ("dst_endpoint", event.host.map { ["hostname": .string($0)] }), ("is_mfa", .bool(event.isMultiFactor)),
        ("is_remote", true), ("auth_factors", factors.isEmpty ? nil : .array(factors)),
        ("auth_protocol_id", event.flow.kind == "oidc" ? 4 : nil),
        ("auth_protocol", event.flow.kind == "oidc" ? "OpenID" : nil),
      ]
    return [
      ("user", ["name": .string(event.flow.user ?? "unknown")]),
      (
        "metadata",
        [
          "version": .string(version), "uid": .string(event.id),
          "log_name": .string(event.evidence.origin), "correlation_uid": .string(event.flow.stream),
          "product": [
            "name": "FlowRecorder", "vendor_name": "FlowRecorder", "version": .string(event.version),
          ],
        ]
      ),
      ("src_endpoint", source(of: event.origin)), ("actor", actor(of: event.origin)),
    ] + authentication
  }

  /// The `network_endpoint` that the person was at.
  private static func source(of origin: EventOrigin) -> JSON? {
    let members: [(String, JSON?)] = [
      ("ip", origin.ip.map(JSON.string)), ("hostname", origin.name.map(JSON.string)),
      ("uid", origin.device.map(JSON.string)), ("name", origin.model.map(JSON.string)),
    ]
    guard members.contains(where: { $0.1 != nil }) else { return nil }
    let os = origin.os.map { name -> JSON in ["name": .string(name), "type_id": .int(number(ofSystem: name))] }
    return .members(members + [("os", os)])
  }

  private static func actor(of origin: EventOrigin) -> JSON? {
    guard origin.app != nil || origin.appID != nil else { return nil }
    return .members([("app_name", origin.app.map(JSON.string)), ("app_uid", origin.appID.map(JSON.string))])
  }

  /// `os.type_id`.
  private static func number(ofSystem name: String) -> Int {
    let name = name.lowercased()
    let words = [
      ("ipados", 302), ("ios", 301), ("macos", 300), ("os x", 300), ("android", 201), ("linux", 200), ("windows", 100),
    ]
    return words.first { name.contains($0.0) }?.1 ?? 99
  }

  /// What OCSF has no field for, and the proof of the event.
  static func unmapped(_ event: SecurityEvent) -> JSON {
    let reason = event.reason?.rawValue
    return .members([
      ("flow", .string(event.flow.stream)), ("kind", .string(event.flow.kind)),
      ("outcome", .string(event.result.words)), ("reason", reason.map(JSON.string)),
      ("store", .string(event.evidence.store)),
      ("origin", .string(event.evidence.origin)), ("position", .number(String(event.evidence.position))),
      ("leaf_hash", .string(event.evidence.leafHash.description)),
      ("factors", .array(event.factors.map(JSON.string))), ("context", event.origin.json),
    ])
  }

  private static func milliseconds(_ time: Timestamp) -> JSON { .number(String(time.microseconds / 1_000)) }

  private static func number(of action: SecurityEvent.Action) -> Int {
    switch action {
    case .logon: 1
    case .logoff: 2
    case .tokenRenewal, .pushAnswer: 99
    case .accountCreate: 1
    case .passwordChange: 3
    case .passwordReset: 4
    case .lock: 9
    case .factorEnable: 10
    case .factorDisable: 11
    case .unlock: 12
    }
  }

  /// `auth_factor.factor_type_id`.
  private static func number(ofFactor name: String) -> Int {
    let name = name.lowercased()
    let words: [(String, Int)] = [
      ("sms", 1), ("question", 2), ("call", 3), ("voice", 3), ("push", 5), ("verify", 5), ("hardware", 6),
      ("email", 8), ("u2f", 9), ("webauthn", 10), ("password", 11), ("totp", 7), ("otp", 7), ("google", 7),
      ("phone", 1),
    ]
    return words.first { name.contains($0.0) }?.1 ?? 99
  }
}
