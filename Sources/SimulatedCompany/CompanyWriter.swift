// From a plan to a store: the events of each flow as its kind writes them, without network and without secrets.

public import EventStore
import FlowRecording

/// A company whose sign-ins are made up from a seed: the same records for the same seed, number of flows and beginning.
public struct SimulatedCompany: Sendable {
  let seed: UInt64
  private let count: Int
  private let begin: Timestamp

  /// A company.
  ///
  /// - Parameters:
  ///   - seed: what all chance comes from.
  ///   - flows: how many flows there are in all, those of attacks included.
  ///   - begin: when the four weeks begin that it is watched.
  public init(seed: UInt64, flows: Int, begin: Timestamp = Timestamp(microseconds: 1_767_571_200_000_000)) {
    self.seed = seed
    count = max(0, flows)
    self.begin = begin
  }

  /// How many flows it has: as many as were asked for, and at least those of the incidents.
  public var flows: Int { plan.flows.count }

  var plan: CompanyPlan { CompanyPlan(seed: seed, flows: count, begin: begin) }

  /// Appends the company's flows to a log, and what its recorder says of itself.
  ///
  /// - Parameters:
  ///   - log: a log that is open; it is not closed.
  ///   - progress: is called now and then with flows done and flows in all.
  /// - Returns: the incidents that were planted.
  /// - Throws: `StoreError` if the log cannot be written.
  public func write(to log: EventLog, progress: WorkProgress? = nil) throws(StoreError) -> [CompanyIncident] {
    let plan = plan
    var writer = CompanyWriter(seed: seed, CompanyRecorder(plan))
    try append(0..<plan.flows.count, of: plan, to: log, by: &writer, progress)
    return plan.incidents
  }

  /// Appends some flows of a plan, and syncs the log.
  func append(
    _ part: Range<Int>, of plan: CompanyPlan, to log: EventLog, by writer: inout CompanyWriter,
    _ progress: WorkProgress?
  ) throws(StoreError) {
    var batch: [NewRecord] = []
    for index in part {
      let flow = plan.flows[index]
      batch += writer.recorder.records(until: flow.at)
      batch += writer.records(of: flow, by: plan.employees[flow.employee], offset: batch.count)
      guard batch.count >= 1_000 else { continue }
      _ = try log.append(batch)
      batch.removeAll(keepingCapacity: true)
      progress?(UInt64(index + 1), UInt64(plan.flows.count))
    }
    if part.upperBound == plan.flows.count { batch += writer.recorder.rest() }
    if !batch.isEmpty { _ = try log.append(batch) }
    try log.sync()
  }
}

/// Writes flows.
struct CompanyWriter {
  static let userAgent = "FlowRecorder/0.1.0 Linux/6 Device/x86_64"
  static let sdk = "FlowRecorder/0.1.0"
  var random: CompanyRandom
  private var requests = 0
  /// The ids of tokens that several flows have to do with.
  var ids: [Int: String] = [:]

  /// What the recorder says of itself meanwhile.
  var recorder: CompanyRecorder

  init(seed: UInt64, _ recorder: CompanyRecorder) {
    random = CompanyRandom(seed: seed ^ 0x5EED)
    self.recorder = recorder
  }

  mutating func records(of flow: PlannedFlow, by employee: Employee, offset: Int) -> [NewRecord] {
    let isEngine = employee.usesIdentityEngine
    switch flow.play {
    case .tokens: return tokens(flow, employee, offset)
    case .device: return device(flow, employee, offset)
    // These are written in the classic words only.
    case .lockedOut, .unlock, .recovery, .rateLimited, .connectionLost: return classic(flow, employee, offset)
    case .success, .wrongPasswordFirst, .wrongPassword, .abandoned, .wrongCodeFirst, .pushRejected, .pushTimedOut,
      .pushApproved:
      let records = isEngine ? engine(flow, employee, offset) : classic(flow, employee, offset)
      if let tokens = flow.tokens, let stream = records.first?.stream {
        ids[tokens.number] = String(stream.drop { $0 != "/" }.dropFirst())
      }
      return records
    }
  }

  // MARK: Parts of flows

  mutating func script(
    _ kind: String, _ flow: PlannedFlow, _ employee: Employee, _ settings: JSON, _ offset: Int
  ) -> FlowScript {
    var script = FlowScript(stream(kind, at: flow.at), at: flow.at, offset: offset)
    let context = FlowContext(
      app: .init(id: "com.acme.portal", name: "Portal", version: employee.version),
      client: .init(os: "Linux 6", locale: "en_US", address: flow.place ?? employee.address),
      device: flow.place == nil || flow.isRoaming ? employee.device : nil, instance: "web-\(random.within(1...4))",
      correlation: "r-\(hex(8))")
    script.take(
      .flowStarted(FlowStarted(kind: kind, sdk: Self.sdk, settings: settings, context: context.json)))
    return script
  }

  /// A stream's name: a ULID of the time and of chance.
  mutating func stream(_ kind: String, at time: Timestamp) -> String {
    let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    let milliseconds = UInt64(max(0, time.microseconds / 1_000))
    var text = stride(from: 45, through: 0, by: -5).map { alphabet[Int(milliseconds >> UInt64($0) & 31)] }
    for half in [random.next(), random.next()] {
      text += stride(from: 35, through: 0, by: -5).map { alphabet[Int(half >> UInt64($0) & 31)] }
    }
    return kind + "/" + String(decoding: text, as: UTF8.self)
  }

  mutating func hex(_ count: Int) -> String {
    let digits = Array("0123456789abcdef")
    return String((0..<count).map { _ in digits[random.below(16)] })
  }

  mutating func requestID() -> String {
    requests += 1
    return "req\(hex(10))\(requests)"
  }

  /// How long the org takes, in milliseconds: mostly short, sometimes long.
  mutating func latency() -> Int {
    random.chance(perMille: 30) ? random.within(800...4_000) : random.within(60...320)
  }
}
