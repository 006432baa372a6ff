// Elastic Common Schema 8.11 (elastic.co/guide/en/ecs).

import EventStore
import FlowRecording

/// Security events in ECS, one JSON document each.
enum ECS {
  static func json(of event: SecurityEvent) -> JSON {
    let (category, types): (String, [JSON]) =
      switch event.action {
      case .logon, .pushAnswer: ("authentication", ["start"])
      case .logoff: ("authentication", ["end"])
      case .tokenRenewal: ("authentication", ["info"])
      case .accountCreate: ("iam", ["user", "creation"])
      case .passwordChange, .passwordReset, .lock, .unlock, .factorEnable, .factorDisable: ("iam", ["user", "change"])
      }
    let outcome: String =
      switch event.result {
      case .success: "success"
      case .failure: "failure"
      case .other, .open: "unknown"
      }
    // Clocks may be centuries apart.
    let (nanoseconds, isTooLong) = max(0, event.evidence.at.microseconds - event.flow.started.microseconds)
      .multipliedReportingOverflow(by: 1_000)
    let reason = event.reason?.rawValue ?? event.detail
    let error: JSON? =
      event.detail == event.reason?.rawValue ? nil : event.detail.map { text -> JSON in ["message": .string(text)] }
    return .members([
      ("@timestamp", .string(event.evidence.at.description)), ("ecs", ["version": "8.11.0"]),
      ("message", .string("\(event.action.words) of \(event.flow.user ?? "an unknown user"): \(event.result.words)")),
      (
        "event",
        .members([
          ("kind", "event"), ("category", .array([.string(category)])), ("type", .array(types)),
          ("action", .string(event.action.rawValue)), ("outcome", .string(outcome)),
          ("module", "flowrecorder"), ("dataset", "flowrecorder.flow"),
          ("id", .string(event.id)),
          ("sequence", .number(String(event.evidence.position))),
          ("hash", .string(event.evidence.leafHash.description)),
          ("start", .string(event.flow.started.description)), ("end", .string(event.evidence.at.description)),
          ("duration", isTooLong ? nil : .number(String(nanoseconds))), ("code", event.code.map(JSON.string)),
          ("reason", reason.map(JSON.string)),
        ])
      ),
      ("error", error), ("user", event.flow.user.map { ["name": .string($0)] }),
      ("service", ["name": .string(event.host ?? "unknown"), "type": "okta"]),
      ("observer", ["vendor": "FlowRecorder", "product": "FlowRecorder", "version": .string(event.version)]),
      ("trace", ["id": .string(FlowSpans.traceID(of: event.flow, in: event.evidence.store))]),
      ("source", source(of: event.origin)), ("device", device(of: event.origin)),
      ("flowrecorder", OCSF.unmapped(event)),
    ])
  }

  private static func source(of origin: EventOrigin) -> JSON? {
    guard let address = origin.ip ?? origin.name else { return nil }
    return .members([
      ("address", .string(address)), ("ip", origin.ip.map(JSON.string)), ("domain", origin.name.map(JSON.string)),
    ])
  }

  private static func device(of origin: EventOrigin) -> JSON? {
    guard origin.device != nil || origin.model != nil else { return nil }
    return .members([
      ("id", origin.device.map(JSON.string)), ("model", origin.model.map { ["name": .string($0)] }),
    ])
  }
}
