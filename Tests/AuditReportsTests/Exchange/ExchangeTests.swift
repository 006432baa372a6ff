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
    "a flow becomes the events that happened in it",
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

  @Test("an event that is centuries behind the beginning of its flow is exported, without a duration")
  func centuries() throws {
    var event = try #require(Golden.events(of: try Golden.records("wrong-password.ndjson.lz4")).last)
    #expect(ECS.json(of: event)["event"]?["duration"] != nil)
    event.evidence.at = Timestamp(microseconds: event.flow.started.microseconds + (1 << 61))
    #expect(ECS.json(of: event)["event"]?["duration"] == nil)
    #expect(OCSF.json(of: event)["time"] != nil && !CEF.line(of: event).isEmpty)
  }

  @Test(
    "each refused try has its reason in the words of reports, in each form",
    arguments: [
      ("wrong-password", "wrongPassword"), ("push-rejected", "rejected"), ("locked-out", "wrongPassword"),
    ])
  func reasons(name: String, reason: String) throws {
    let failures = Golden.events(of: try Golden.records(name + ".ndjson.lz4")).filter { $0.result == .failure }
    #expect(!failures.isEmpty && failures.first?.reason?.rawValue == reason, "\(failures.map(\.reason))")
    for event in failures {
      let word = try #require(event.reason?.rawValue)
      #expect(OCSF.json(of: event)["unmapped"]?["reason"] == .string(word))
      #expect(ECS.json(of: event)["event"]?["reason"] == .string(word))
      #expect(CEF.line(of: event).hasSuffix(" flexString1Label=reason flexString1=\(word)"))
    }
    let successes = Golden.events(of: try Golden.records("password-only.ndjson.lz4"))
    #expect(successes.allSatisfy { $0.reason == nil && !CEF.line(of: $0).contains("flexString") })
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

  @Test("each event has an id of its own, the same in each form; also that of a flow that ends with a refused try")
  func ids() throws {
    let events = try crafted()
    #expect(events.map(\.result) == [.failure, .open])
    #expect(events.map(\.id) == ["s/2", "s/2/open"])
    for event in events {
      #expect(OCSF.json(of: event)["metadata"]?["uid"] == .string(event.id))
      #expect(ECS.json(of: event)["event"]?["id"] == .string(event.id))
      #expect(CEF.line(of: event).contains(" externalId=\(event.id) "))
    }
    for name in try Golden.names() {
      let ids = Golden.events(of: try Golden.records(name)).map(\.id)
      #expect(Set(ids).count == ids.count, "\(name): \(ids)")
    }
  }

  @Test(
    "the host of an org's address is its name or its address, and nothing beside that",
    arguments: [
      ("https://acme.example", "acme.example"), ("https://acme.example:8443/x:y@z", "acme.example"),
      ("http://[::1]:8080", "::1"), ("http://[2001:db8::7]/a", "2001:db8::7"),
      ("https://user:pw@acme.example:8443/x", "acme.example"), ("https://u@v@[::1]:1", "::1"),
      ("https://acme.example?a=b@c", "acme.example"), ("https://", nil), ("https://:443/", nil), ("https://u@/", nil),
      ("acme", nil),
    ] as [(String, String?)])
  func hosts(org: String, host: String?) throws {
    var log = Written()
    try log.add("authn/01A", "flow.started", ["kind": "authn", "settings": ["org": .string(org)]])
    try log.add("authn/01A", "flow.ended", ["outcome": "success"])
    let event = try #require(Golden.events(of: log.records).first)
    #expect(event.host == host)
    #expect(OCSF.json(of: event)["dst_endpoint"]?["hostname"] == host.map(JSON.string))
    #expect(ECS.json(of: event)["service"]?["name"] == .string(host ?? "unknown"))
    #expect(CEF.line(of: event).contains(" dhost=") == (host != nil))
  }

  @Test("the org of a flow whose settings name an issuer is the issuer's", arguments: ["org", "issuer"])
  func issuers(member: String) throws {
    var log = Written()
    let settings = JSON.members([(member, .string("https://acme.example/oauth2/default"))])
    try log.add("idx/01A", "flow.started", ["kind": "idx", "settings": settings])
    try log.add("idx/01A", "flow.ended", ["outcome": "success"])
    let event = try #require(Golden.events(of: log.records).first)
    #expect(event.host == "acme.example")
  }

  @Test(
    "a change whose call was cancelled is no event",
    arguments: [("cancelled", []), ("status", ["passwordChange"])] as [(String, [String])])
  func cancelledCalls(outcome: String, actions: [String]) throws {
    var log = Written()
    try log.add("authn/01A", "flow.started", ["kind": "authn", "settings": ["org": "https://acme.example"]])
    try log.add("authn/01A", "call.made", ["call": "changePassword", "arguments": [:]])
    try log.add("authn/01A", "call.returned", ["call": 1, "outcome": .string(outcome)])
    let events = Golden.events(of: log.records).filter { $0.result != .open }
    #expect(events.map(\.action.rawValue) == actions)
  }

  @Test(
    "a refused operation on tokens becomes the event that fits it, and only one",
    arguments: [
      ("oidc", "signInWithBrowser", ["logon"]), ("oidc", "renew", ["tokenRenewal"]), ("oidc", "signOut", ["logoff"]),
      ("oidc", "revoke", ["logoff"]), ("oidc", "introspect", []), ("oidc", "getUser", []), ("oidc", "clear", []),
      ("idx", "exchangeCode", ["logon"]),
    ] as [(String, String, [String])])
  func refusedTokens(kind: String, operation: String, actions: [String]) throws {
    var log = Written()
    let stream = "\(kind)/01A"
    try log.add(stream, "flow.started", ["kind": .string(kind), "settings": [:]])
    try log.add(stream, "call.made", ["call": .string(operation), "arguments": [:]])
    try log.add(
      stream, "token.refused", ["operation": .string(operation), "error": "idTokenRefused", "details": [:]])
    try log.add(
      stream, "call.returned", ["call": 1, "outcome": "error", "error": "idTokenRefused", "details": [:]])
    try log.add(stream, "flow.ended", ["outcome": "failed"])
    let events = Golden.events(of: log.records)
    #expect(events.map(\.action.rawValue) == actions && events.allSatisfy { $0.result == .failure })
  }

  @Test(
    "a failed operation on a device is an account's change only if it was to make one",
    arguments: [
      ("enroll", ["factorEnable"]), ("delete", ["factorDisable"]), ("deleteFromDevice", ["factorDisable"]),
      ("updateDeviceToken", []), ("setUserVerification", []), ("retrieveMaintenanceToken", []),
      ("retrievePushChallenges", []), ("downloadPolicy", []),
    ] as [(String, [String])])
  func failedOperations(operation: String, actions: [String]) throws {
    var log = Written()
    try log.add("device/01A", "flow.started", ["kind": "device", "settings": [:]])
    try log.add("device/01A", "call.made", ["call": .string(operation), "arguments": [:]])
    try log.add(
      "device/01A", "enrollment.failed", ["operation": .string(operation), "error": "networkError", "details": [:]])
    try log.add("device/01A", "flow.ended", ["outcome": "failed"])
    let events = Golden.events(of: log.records)
    #expect(events.map(\.action.rawValue) == actions && events.allSatisfy { $0.result == .failure })
  }

  @Test(
    "a factor that is set up, or refused, is named by itself and in the words of reports",
    arguments: [
      ("enroll-sms", ["sms"]), ("enroll-push", ["push"]), ("enroll-token", ["token"]), ("enroll-totp", ["totp"]),
      ("idx-enrolment", ["phone", "question", "totp"]),
    ] as [(String, [String])])
  func enrolledFactors(name: String, factors: [String]) throws {
    let events = Golden.events(of: try Golden.records(name + ".ndjson.lz4")).filter { $0.action == .factorEnable }
    #expect(events.filter { $0.result == .success }.map(\.factors) == factors.map { [$0] })
    #expect(events.allSatisfy { $0.factors.allSatisfy(factors.contains) }, "\(events.map(\.factors))")
  }

  @Test("a sign-in is one by several factors if the org accepted several, not if one was left for another")
  func severalFactors() throws {
    var log = Written()
    try log.add("authn/01A", "flow.started", ["kind": "authn", "settings": ["org": "https://acme.example"]])
    for type in ["push", "sms"] {
      try log.add(
        "authn/01A", "status.changed",
        ["status": "MFA_CHALLENGE", "summary": ["factors": [["type": .string(type), "provider": "OKTA"]]]])
    }
    try log.add("authn/01A", "status.changed", ["status": "SUCCESS", "previous": "MFA_CHALLENGE", "summary": [:]])
    try log.add("authn/01A", "flow.ended", ["outcome": "success"])
    let one = try #require(Golden.events(of: log.records).last)
    #expect(one.factors == ["push", "sms"] && OCSF.json(of: one)["is_mfa"] == false)
    var made = MadeSignIns()
    try made.pushThenCode("ann", right: true, at: 0)
    let two = try #require(Golden.events(of: made.log.records).last)
    #expect(two.result == .success && OCSF.json(of: two)["is_mfa"] == true)
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

  /// A sign-in of which the application says all that it can.
  private func told(address: String, trace: String = "4BF92F3577B34DA6A3CE929D0E0E4736") throws -> [StoredRecord] {
    var log = Written()
    let context = FlowContext(
      app: .init(id: "com.acme.mail", name: "Acme Mail", version: "4.2"),
      client: .init(os: "iPadOS 19.1", model: "iPad", locale: "de_CH", address: address), device: "dev-7",
      instance: "web-1", correlation: "req-9", trace: trace)
    try log.add(
      "authn/01A", "flow.started",
      ["kind": "authn", "sdk": "F/1", "settings": ["org": "https://a.example"], "context": try #require(context.json)])
    try log.add("authn/01A", "call.made", ["call": "authenticate", "arguments": ["username": "ann"]])
    try log.add("authn/01A", "flow.ended", ["outcome": "success"])
    return log.records
  }

  @Test("where a person was, and with which program, stands in each form")
  func origin() throws {
    let schema = try Schema()
    let event = try #require(Golden.events(of: try told(address: "198.51.100.7")).first)
    let open = OCSF.json(of: event)
    #expect(schema.defects(of: open) == [], "\(open.text)")
    #expect(open["src_endpoint"]?["ip"] == "198.51.100.7" && open["src_endpoint"]?["uid"] == "dev-7")
    #expect(open["src_endpoint"]?["os"]?["type_id"] == 302 && open["src_endpoint"]?["hostname"] == nil)
    #expect(open["actor"]?["app_name"] == "Acme Mail 4.2" && open["actor"]?["app_uid"] == "com.acme.mail")
    #expect(open["unmapped"]?["context"]?["correlation"] == "req-9")
    #expect(open["unmapped"]?["context"]?["instance"] == "web-1")
    let elastic = ECS.json(of: event)
    #expect(elastic["source"]?["ip"] == "198.51.100.7" && elastic["source"]?["address"] == "198.51.100.7")
    #expect(elastic["device"]?["id"] == "dev-7" && elastic["trace"]?["id"] == "4bf92f3577b34da6a3ce929d0e0e4736")
    let line = CEF.line(of: event)
    #expect(line.contains(" src=198.51.100.7 ") && line.contains(" cs5Label=device cs5=dev-7 "))
    #expect(line.hasSuffix(" cs6Label=client cs6=Acme Mail 4.2") && !line.contains("c6a2") && !line.contains("shost"))
  }

  @Test(
    "an address is one of IP, or a name",
    arguments: [
      ("2001:db8::7", true), ("::1", true), ("::", true), ("2001:db8:0:0:0:0:0:7", true), ("::ffff:192.0.2.1", true),
      ("1:2:3:4:5:6:7::", true), ("proxy.example", false), ("1::2::3", false), ("1:2:3", false),
      ("1:2:3:4:5:6:7:8:9", false),
      ("::1:2:3:4:5:6:7:8", false), ("256.1.1.1", false), ("1.2.3", false), ("fe80::1%eth0", false), ("12345::", false),
      (":::", false), ("1.2.3.4:80", false), ("", false), ("::+1", false), ("192.0.2.1::", false),
    ])
  func addresses(text: String, isAddress: Bool) throws {
    let event = try #require(Golden.events(of: try told(address: text)).first)
    let source = OCSF.json(of: event)["src_endpoint"]
    // What is empty is not there.
    let name: JSON? = isAddress || text.isEmpty ? nil : .string(text)
    #expect(source?["ip"] == (isAddress ? .string(text) : nil) && source?["hostname"] == name)
    #expect(CEF.line(of: event).contains(" c6a2=\(text) ") == isAddress && !CEF.line(of: event).contains(" src="))
    #expect(try Schema().defects(of: OCSF.json(of: event)) == [])
  }

  @Test("a flow belongs to the trace that the application names, with spans of its own")
  func namedTrace() throws {
    func list(_ store: String, _ records: [StoredRecord]) throws -> [JSON] {
      let spans = FlowSpans(of: StoreIdentity(id: store, origin: "log.example"))
      let first = try #require(records.first)
      var flow = try #require(spans.flow(startingWith: first, kinds: .standard))
      for record in records.dropFirst() { spans.add(record, to: &flow, kinds: .standard) }
      let scope = spans.json(of: flow)["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first
      return scope?["spans"]?.array ?? []
    }
    let (one, other) = try (list("s", told(address: "192.0.2.1")), list("t", told(address: "192.0.2.1")))
    #expect(
      one.first?["traceId"] == "4bf92f3577b34da6a3ce929d0e0e4736" && one.first?["traceId"] == other.first?["traceId"])
    #expect(one.first?["spanId"] != other.first?["spanId"])
    #expect(one.first?["attributes"]?.array?.contains { $0["key"] == "client.address" } == true)
    for malformed in [String(repeating: "0", count: 32), "4bf9", "zz" + String(repeating: "a", count: 30)] {
      let made = try list("s", told(address: "192.0.2.1", trace: malformed)).first?["traceId"]?.string
      #expect(made?.count == 32 && made != malformed)
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
