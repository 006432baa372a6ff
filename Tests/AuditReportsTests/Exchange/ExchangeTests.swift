import FlowKinds
import FlowRecording
import Foundation
import Testing

@testable import AuditReports
@testable import EventStore

/// The golden recordings of the tree.
private enum Golden {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Recordings").standardizedFileURL

  static func records(_ name: String) throws -> [StoredRecord] {
    try SliceFile.read(path: folder.appendingPathComponent(name).path).records
  }

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".ndjson.lz4") }.sorted()
  }

  static func events(of records: [StoredRecord]) -> [SecurityEvent] {
    var reader = SecurityEventReader(of: StoreIdentity(id: "s", origin: "log.example"))
    return records.flatMap { reader.add($0) } + reader.finish()
  }
}

/// The excerpt of the published schema.
private struct Schema {
  let json: JSON

  init() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("ocsf-1.6.0.json")
    json = try JSON(parsing: Array(try Data(contentsOf: file)))
  }

  /// What is wrong with an event.
  func defects(of event: JSON) -> [String] {
    guard let number = event["class_uid"]?.int, let type = json["classes"]?["\(number)"] else { return ["no class"] }
    return defects(of: event, as: type, at: "")
  }

  private func defects(of value: JSON, as type: JSON, at path: String) -> [String] {
    guard let members = value.object?.members else { return ["\(path) is no object"] }
    var found: [String] = []
    let attributes = type["attributes"]?.object?.members ?? []
    for attribute in attributes where attribute.value["required"] == true && value[attribute.key] == nil {
      found.append("\(path)\(attribute.key) is missing")
    }
    if let some = type["constraints"]?["at_least_one"]?.array?.compactMap(\.string),
      !some.contains(where: { value[$0] != nil })
    {
      found.append("\(path) has none of \(some)")
    }
    for member in members {
      guard let attribute = type["attributes"]?[member.key] else {
        found.append("\(path)\(member.key) is not in the schema")
        continue
      }
      let elements = attribute["array"] == true ? member.value.array ?? [] : [member.value]
      for element in elements { found += defects(of: element, attribute, at: path + member.key) }
    }
    return found
  }

  private func defects(of value: JSON, _ attribute: JSON, at path: String) -> [String] {
    switch attribute["type"]?.string ?? "" {
    case "object_t":
      guard let type = attribute["object"]?.string.flatMap({ json["objects"]?[$0] }) else { return [] }
      return defects(of: value, as: type, at: path + ".")
    case "integer_t", "long_t", "timestamp_t", "port_t":
      guard let number = value.int else { return ["\(path) is no number"] }
      guard let allowed = attribute["enum"]?.array else { return [] }
      return allowed.contains(.string("\(number)")) ? [] : ["\(path) is \(number)"]
    case "boolean_t": return value.bool == nil ? ["\(path) is no boolean"] : []
    default: return value.string == nil ? ["\(path) is no text"] : []
    }
  }
}

@Suite struct ExchangeTests {
  @Test("every event of every golden recording is one of the published OCSF schema")
  func schema() throws {
    let schema = try Schema()
    var actions: Set<String> = []
    for name in try Golden.names() {
      for event in Golden.events(of: try Golden.records(name)) {
        let json = OCSF.json(of: event)
        #expect(schema.defects(of: json) == [], "\(name): \(json.text)")
        #expect(json["unmapped"]?["position"]?.int != nil && json["unmapped"]?["leaf_hash"]?.string?.count == 44)
        actions.insert(event.action.rawValue)
      }
    }
    #expect(actions.isSuperset(of: ["logon", "pushAnswer", "passwordReset", "passwordChange", "lock", "factorEnable"]))
    // The check itself finds what is wrong.
    #expect(schema.defects(of: ["class_uid": 3002, "activity_id": 55, "surprise": 1]).count >= 8)
  }

  @Test(
    "a flow is told as what happened in it",
    arguments: [
      ("password-only", ["logon success"]), ("push-approved", ["logon success"]),
      ("wrong-password", ["logon failure E0000004"]),
      ("locked-out", ["logon failure E0000004", "lock success", "logon failure"]), ("idx-password", ["logon success"]),
      ("push-rejected", ["logon failure"]),
      ("oidc-browser", ["logon success"]), ("device-consent", ["factorEnable success", "pushAnswer success"]),
      ("device-denial", ["factorEnable success", "pushAnswer denied"]),
      ("enroll-sms", ["factorEnable success", "logon success"]),
      ("expired-changed", ["passwordChange success", "logon success"]),
      ("sms-recovery", ["passwordReset success"]),
    ] as [(String, [String])])
  func flows(name: String, tells: [String]) throws {
    let records = try Golden.records(name + ".ndjson.lz4")
    let events = Golden.events(of: records)
    let told = events.map { event in
      [event.action.rawValue, event.result.words, event.code].compactMap { $0 }.joined(separator: " ")
    }
    #expect(tells.allSatisfy(told.contains), "\(told)")
    #expect(name != "wrong-password" || told == tells, "one try is one event: \(told)")
    #expect(events.map(\.evidence.position) == events.map(\.evidence.position).sorted())
    for event in events {
      let hashes = records.filter { $0.position == event.evidence.position }.map(\.leafHash)
      #expect(hashes == [event.evidence.leafHash])
    }
  }

  private func crafted() throws -> [SecurityEvent] {
    var log = Written()
    let user = "a|b=c\\d\n\u{1B}[31m\u{202E}<x>"
    try log.add(
      "authn/01A", "flow.started", ["kind": "authn", "sdk": "F/1|2", "settings": ["org": "https://a=b.example:8/x"]])
    try log.add("authn/01A", "call.made", ["call": "authenticate", "arguments": ["username": .string(user)]])
    try log.add(
      "authn/01A", "call.returned", ["call": 1, "outcome": "error", "error": "e=|", "details": ["text": "x\r\ny=z"]])
    return Golden.events(of: log.records)
  }

  @Test("CEF escapes what would end a field or a line")
  func commonEventFormat() throws {
    let event = try crafted().first
    let line = CEF.line(of: try #require(event))
    #expect(line.hasPrefix("CEF:0|FlowRecorder|FlowRecorder|1\\|2|logon|Logon|5|rt="))
    #expect(
      line.contains(
        "suser=a|b\\=c\\\\d\\\\n\\\\u001b[31m\\\\u202e<x> outcome=failure reason=e\\=| msg=x\\\\r\\\\ny\\=z "))
    #expect(line.contains("dhost=a\\=b.example app=authn") && !line.contains("\n") && !line.contains("\r"))
  }

  @Test("ECS documents have the categories and outcomes that it allows, and no control characters")
  func elastic() throws {
    var documents = try crafted().map(ECS.json)
    for name in try Golden.names() { documents += Golden.events(of: try Golden.records(name)).map(ECS.json) }
    for document in documents {
      let event = try #require(document["event"])
      #expect([["authentication"], ["iam"]].contains(event["category"]?.array))
      #expect(["success", "failure", "unknown"].contains(event["outcome"]?.string))
      let allowed: [JSON] = ["start", "end", "info", "user", "change", "creation"]
      let types = event["type"]?.array ?? []
      #expect(!types.isEmpty && types.allSatisfy { allowed.contains($0) })
      #expect(document["flowrecorder"]?["leaf_hash"]?.string?.count == 44)
      let text = document.text.printable
      #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
      #expect(try JSON(parsing: Array(text.utf8)) == document)
    }
  }

  @Test("a trace has a span for the flow and one below it for each request, with the same ids each time")
  func traces() throws {
    let records = try Golden.records("push-approved.ndjson.lz4")
    let spans = FlowSpans(of: StoreIdentity(id: "s", origin: "log.example"))
    let first = try #require(records.first)
    var flow = try #require(spans.flow(startingWith: first, kinds: .standard))
    for record in records.dropFirst() { spans.add(record, to: &flow, kinds: .standard) }
    let json = spans.json(of: flow)
    let scope = json["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first
    let list = try #require(scope?["spans"]?.array)
    #expect(list.count == 1 + records.count { $0.type == "request.sent" } && list.count > 3)
    let root = try #require(list.first)
    #expect(root["parentSpanId"] == nil && root["traceId"]?.string?.count == 32)
    for span in list.dropFirst() {
      #expect(span["parentSpanId"] == root["spanId"] && span["traceId"] == root["traceId"] && span["kind"] == 3)
      let (start, end) = (span["startTimeUnixNano"]?.string ?? "", span["endTimeUnixNano"]?.string ?? "")
      #expect(start.count == 19 && start <= end)
    }
    #expect(Set(list.map { $0["spanId"]?.string ?? "" }).count == list.count)
    #expect(spans.json(of: flow) == json)
  }
}
