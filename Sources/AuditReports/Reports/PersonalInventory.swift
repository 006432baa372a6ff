package import EventStore
import FlowKinds
import FlowRecording

/// The personal data in a store: the number of values of each class, but none of the values.
package struct PersonalInventory: Sendable {
  /// Values of one class.
  private struct Tally {
    var values = 0
    var flows: Set<String> = []
    var members: [String: Int] = [:]
  }

  private let directory: String
  private var classes: [String: Tally] = [:]
  private var flows = 0
  private var notes = 0
  private var applicationStreams: Set<String> = []
  private var unknown = 0

  /// Counts the personal values of a store: in the settings of flows, the arguments of calls and the answers of the
  /// org. Requests and states repeat these. Cost: reads and parses the log once.
  package init(_ log: some RecordReading) throws {
    directory = log.directory
    // Nil for a flow of a kind unknown to this version.
    var policies: [String: MaskingPolicy?] = [:]
    try log.forEach { record throws(StoreError) in
      if record.stream == LogFacts.ownStream { return }
      let event = try? FlowEvent(type: record.type, version: record.version, data: JSON(parsing: record.data))
      if record.revision == 0, case .flowStarted(let started)? = event {
        flows += 1
        let policy = KindRegistry.standard[started.kind]?.policy
        if policy == nil { unknown += 1 }
        policies[record.stream] = .some(policy)
      }
      guard let policy = policies[record.stream] else {
        applicationStreams.insert(record.stream)
        return
      }
      if let policy, let event { count(event, by: policy, in: record.stream) }
      if case .flowStarted(let started)? = event, let context = started.context {
        count(FlowContext.schema, context, in: record.stream)
      }
    }
  }

  private mutating func count(_ event: FlowEvent, by policy: MaskingPolicy, in stream: String) {
    let place: (schema: WireSchema, json: JSON)
    switch event {
    case .flowStarted(let started): place = (policy.settings, started.settings)
    case .callMade(let made): place = (policy.arguments, made.arguments)
    case .responseReceived(let response):
      guard case .json(let body) = response.body else { return }
      place = (policy.response, body)
    case .noteAdded:
      notes += 1
      return
    case .flowEnded, .callReturned, .requestSent, .requestFailed, .drawAsked, .drawMade, .timerSet, .timerFired,
      .domain:
      return
    }
    count(place.schema, place.json, in: stream)
  }

  private mutating func count(_ schema: WireSchema, _ json: JSON, in stream: String) {
    schema.forEachPersonal(in: json) { member in
      var tally = classes[Self.name(of: member)] ?? Tally()
      tally.values += 1
      tally.flows.insert(stream)
      tally.members[member, default: 0] += 1
      classes[Self.name(of: member)] = tally
    }
  }

  /// The class of a member, by its name in requests and responses.
  private static func name(of member: String) -> String {
    switch member {
    case "username", "login", "identifier", "user", "id": "login"
    case "firstName", "lastName", "displayName", "name", "nickname": "name"
    case "phoneNumber", "phoneExtension": "phone"
    case "email", "secondaryEmail": "mail"
    case "ip", "forwardedFor", "address": "network"
    case "country", "countryISO", "city", "postal", "latitude", "longitude", "state": "location"
    case "device", "deviceName", "enrolledDevices", "credentialId": "device"
    case "question": "question"
    default: "other"
    }
  }

  private var sorted: [(name: String, tally: Tally)] {
    classes.map { (name: $0.key, tally: $0.value) }.sorted { $0.name < $1.name }
  }

  /// The document of `auditctl info --personal --json`.
  package var json: JSON {
    [
      "store": .string(directory), "flows": .int(flows), "unknownFlows": .int(unknown), "notes": .int(notes),
      "applicationStreams": .int(applicationStreams.count),
      "classes": .array(
        sorted.map { name, tally in
          [
            "class": .string(name), "values": .int(tally.values), "flows": .int(tally.flows.count),
            "members": .members(
              tally.members.sorted { $0.key < $1.key }.map { ($0.key, JSON.int($0.value)) }),
          ]
        }),
    ]
  }

  /// The same as text.
  package func lines(width: LineWidth = 80) -> [String] {
    let table = TextTable(
      [
        .init("class"), .init("values", alignsRight: true), .init("flows", alignsRight: true),
        .init("members", mayShrink: true),
      ],
      rows: sorted.map { name, tally in
        [
          name, String(tally.values), String(tally.flows.count),
          tally.members.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "),
        ]
      })
    var lines = ["\(directory.printable): \(Quantity.count(flows, "flow"))", ""]
    lines += sorted.isEmpty ? ["No personal data was found in flows."] : table.lines(width: width, gap: 2)
    var rest: [String] = []
    if notes > 0 { rest.append("\(Quantity.count(notes, "note")) of applications in flows") }
    if !applicationStreams.isEmpty {
      rest.append("\(Quantity.count(applicationStreams.count, "stream")) of applications")
    }
    if unknown > 0 { rest.append("\(Quantity.count(unknown, "flow")) of kinds that this version does not know") }
    if !rest.isEmpty {
      lines.append("")
      lines += Paragraph.lines(
        "Not classified, and not masked: \(rest.joined(separator: "; ")).", width: width, lead: "", indent: 0)
    }
    return lines
  }
}
