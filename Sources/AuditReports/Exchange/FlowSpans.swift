// Flows as OpenTelemetry traces: a span per flow, with a child span for each request.

import EventStore
import FlowRecording

/// The spans of the flows of one log, as lines of OTLP JSON (opentelemetry-proto 1.x, `ExportTraceServiceRequest`, in
/// the form of the file exporter). Ids are derived from the flow's name and the store's id, so the same flow has the
/// same ids in every export. The trace id is the one given by the application, if any.
struct FlowSpans {
  fileprivate struct Request {
    var revision: Int
    var position: UInt64
    var sent: Timestamp
    var method: String
    var url: String
    var end: Timestamp?
    var status: Int?
    var failure: String?
  }

  /// A flow and its requests.
  struct Flow {
    fileprivate(set) var facts: FlowFacts
    fileprivate var requests: [Request] = []
    fileprivate var sdk: String
    fileprivate var last: StoredRecord
  }

  private let identity: StoreIdentity

  /// Makes the spans of the log with this identity.
  init(of identity: StoreIdentity) { self.identity = identity }

  /// The flow that begins with a record, or nil if no flow begins with it.
  func flow(startingWith record: StoredRecord, kinds: KindRegistry) -> Flow? {
    guard record.revision == 0, record.type == FlowStarted.type else { return nil }
    let sdk = Self.data(of: record)["sdk"]?.string ?? ""
    return Flow(facts: FlowFacts(startingWith: record, kinds: kinds), sdk: sdk, last: record.alone)
  }

  /// Adds the next record of a flow; `cause` finds the request by its position.
  func add(_ record: StoredRecord, to flow: inout Flow, kinds: KindRegistry) {
    flow.facts.add(record, kinds)
    flow.last = record.alone
    switch record.type {
    case RequestSent.type:
      let data = Self.data(of: record)
      flow.requests.append(
        Request(
          revision: record.revision, position: record.position, sent: record.at,
          method: data["method"]?.string ?? "_OTHER", url: data["url"]?.string ?? ""))
    case ResponseReceived.type, RequestFailed.type:
      guard let index = flow.requests.lastIndex(where: { $0.position == record.cause }) else { return }
      let data = Self.data(of: record)
      flow.requests[index].end = record.at
      flow.requests[index].status = data["status"]?.int
      flow.requests[index].failure = data["code"]?.string
    default: break
    }
  }

  /// One line: the resource, and the spans of one flow.
  func json(of flow: Flow) -> JSON {
    let facts = flow.facts
    let trace = Self.traceID(of: facts, in: identity.id)
    let origin = EventOrigin(of: facts)
    // Flows of the same trace each have their own span.
    let root = Self.spanID(facts.stream, 0, in: identity.id)
    let attributes: [(String, JSON?)] = [
      ("flow.id", .string(facts.stream)), ("flow.kind", .string(facts.kind)), ("flow.outcome", .string(facts.outcome)),
      ("enduser.id", facts.user.map(JSON.string)), ("flow.status", facts.status.map(JSON.string)),
      ("client.address", (origin.ip ?? origin.name).map(JSON.string)), ("device.id", origin.device.map(JSON.string)),
      ("device.model.name", origin.model.map(JSON.string)), ("flow.client", origin.app.map(JSON.string)),
      ("flow.correlation", facts.context.correlation.map(JSON.string)),
      ("log.position", .int(Int(clamping: flow.last.position))),
      ("log.leaf_hash", .string(flow.last.leafHash.description)),
    ]
    let hasFailed = ["failed", "lockedOut"].contains(facts.outcome)
    let whole = Self.span(
      trace, root, parent: nil, name: "\(facts.kind) flow", kind: 1, from: facts.started, to: facts.latest,
      attributes: attributes, isError: hasFailed)
    let spans =
      [whole]
      + flow.requests.map {
        Self.span(of: $0, trace, Self.spanID(facts.stream, $0.revision, in: identity.id), parent: root)
      }
    return [
      "resourceSpans": [
        [
          "resource": [
            "attributes": Self.attributes([
              ("service.name", "flowrecorder"), ("service.version", .string(flow.sdk)),
              ("flowrecorder.store", .string(identity.id)), ("flowrecorder.origin", .string(identity.origin)),
            ])
          ],
          "scopeSpans": [["scope": ["name": "FlowRecorder"], "spans": .array(spans)]],
        ]
      ]
    ]
  }

  private static func span(of request: Request, _ trace: String, _ id: String, parent: String) -> JSON {
    let isError = request.failure != nil || request.status.map { $0 >= 400 } ?? false
    return span(
      trace, id, parent: parent, name: request.method, kind: 3, from: request.sent,
      to: request.end ?? request.sent,
      attributes: [
        ("http.request.method", .string(request.method)), ("url.full", .string(request.url)),
        ("http.response.status_code", request.status.map(JSON.int)),
        ("error.type", request.failure.map(JSON.string) ?? (isError ? request.status.map { .string("\($0)") } : nil)),
        ("log.position", .int(Int(clamping: request.position))),
      ], isError: isError)
  }

  private static func span(
    _ trace: String, _ id: String, parent: String?, name: String, kind: Int, from start: Timestamp, to end: Timestamp,
    attributes: [(String, JSON?)], isError: Bool
  ) -> JSON {
    .members([
      ("traceId", .string(trace)), ("spanId", .string(id)), ("parentSpanId", parent.map(JSON.string)),
      ("name", .string(name)), ("kind", .int(kind)), ("startTimeUnixNano", nanoseconds(start)),
      ("endTimeUnixNano", nanoseconds(max(start, end))), ("attributes", self.attributes(attributes)),
      ("status", isError ? ["code": 2] : [:]),
    ])
  }

  /// 64-bit numbers are strings in protobuf's JSON.
  private static func nanoseconds(_ time: Timestamp) -> JSON { .string("\(max(0, time.microseconds))000") }

  private static func attributes(_ pairs: [(String, JSON?)]) -> JSON {
    .array(
      pairs.compactMap { key, value in
        guard let value else { return nil }
        if case .number(let text) = value { return ["key": .string(key), "value": ["intValue": .string(text)]] }
        return ["key": .string(key), "value": ["stringValue": .string(value.string ?? value.text)]]
      })
  }

  /// 16 bytes in hexadecimal digits: the trace id given by the application, or one derived from the flow.
  static func traceID(of flow: FlowFacts, in store: String) -> String {
    EventOrigin(of: flow).trace ?? hexadecimal("\(store)/\(flow.stream)", 16)
  }

  private static func spanID(_ stream: String, _ revision: Int, in store: String) -> String {
    hexadecimal("\(hexadecimal("\(store)/\(stream)", 16))/\(revision)", 8)
  }

  private static func hexadecimal(_ text: String, _ count: Int) -> String {
    TreeHash(sha256Of: Array(text.utf8)).hexadecimal(count)
  }

  private static func data(of record: StoredRecord) -> JSON { (try? JSON(parsing: record.data)) ?? [:] }
}
