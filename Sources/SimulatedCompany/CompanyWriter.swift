// Writes a plan into a store: the events of each flow as its kind writes them, without a network or secrets.

public import EventStore
import FlowRecording

/// A company whose sign-ins are generated from a seed. The records are the same for the same seed, number of flows, and
/// beginning.
public struct SimulatedCompany: Sendable {
  let seed: UInt64
  private let count: Int
  private let begin: Timestamp

  /// Creates a company.
  ///
  /// - Parameters:
  ///   - seed: the seed of all random choices.
  ///   - flows: the total number of flows, including those of attacks.
  ///   - begin: the beginning of the four simulated weeks.
  public init(seed: UInt64, flows: Int, begin: Timestamp = Timestamp(microseconds: 1_767_571_200_000_000)) {
    self.seed = seed
    count = max(0, flows)
    self.begin = begin
  }

  /// The number of flows: the requested number, but at least those of the incidents.
  public var flows: Int { plan.flows.count }

  var plan: CompanyPlan { CompanyPlan(seed: seed, flows: count, begin: begin) }

  /// Appends the company's flows, and its recorder's own records, to a log.
  ///
  /// - Parameters:
  ///   - log: an open log; it is not closed.
  ///   - progress: called repeatedly with the flows done and the total.
  /// - Returns: the planted incidents.
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
  /// Random numbers for flows in which a factor is set up, kept separate so that all other flows are unaffected.
  var aside: CompanyRandom
  /// The same for flows of guesses.
  var asideForGuesses: CompanyRandom
  private var requests = 0
  /// The IDs of tokens that several flows use.
  var ids: [Int: String] = [:]

  /// The recorder whose own records are merged in.
  var recorder: CompanyRecorder

  init(seed: UInt64, _ recorder: CompanyRecorder) {
    random = CompanyRandom(seed: seed ^ 0x5EED)
    aside = CompanyRandom(seed: seed ^ 0xA51DE)
    asideForGuesses = CompanyRandom(seed: seed ^ 0x60E55_A51DE)
    self.recorder = recorder
  }

  mutating func records(of flow: PlannedFlow, by employee: Employee, offset: Int) -> [NewRecord] {
    if let guesses = flow.guesses { return guessing(guesses, flow, employee, offset) }
    if let factor = flow.enrolled { return enrolling(factor, flow, employee, offset) }
    let isEngine = employee.usesIdentityEngine
    switch flow.play {
    case .tokens: return tokens(flow, employee, offset)
    case .device: return device(flow, employee, offset)
    // These exist only in the vocabulary of the classic API.
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
      device: flow.device ?? (flow.place == nil || flow.isRoaming ? employee.device : nil),
      instance: "web-\(random.within(1...4))", correlation: "r-\(hex(8))")
    script.take(
      .flowStarted(FlowStarted(kind: kind, sdk: Self.sdk, settings: settings, context: context.json)))
    return script
  }

  /// The name of a stream: a ULID from the time and random bits.
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

  /// The org's response time, in milliseconds: mostly short, sometimes long.
  mutating func latency() -> Int {
    random.chance(perMille: 30) ? random.within(800...4_000) : random.within(60...320)
  }
}
