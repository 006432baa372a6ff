// Sign-in events for measuring: the shapes are those of docs/EVENTS.md, ids and times are new in each, secrets are
// placeholders as the recorder writes them. The same seed gives the same events.
public import EventStore

/// An endless run of events of sign-ins that go on side by side. The n-th event that it gives answers, if it answers
/// one, an earlier one by its number: it is meant for a log's positions, or for those of a part of it.
public struct SignInEvents: Sendable {
  /// Which API the flows use.
  public enum Kind: Sendable {
    /// Classic authentication: answers of about 2 KB.
    case authn
    /// The Identity Engine: answers of about 8 KB.
    case identityEngine
    /// Three flows of the first kind for one of the second.
    case mixed
  }

  /// How many records a flow has.
  public static let recordsInFlow = 40

  private let templates: [[EventTemplate]]
  private var random: SeededRandom
  private var flows: [Flow] = []
  private var turn = 0
  private var count: UInt64 = 0
  private var clock: Int64 = 1_795_248_000_000_000
  private let kind: Kind

  /// Events of `concurrent` flows that take turns.
  public init(seed: UInt64, concurrent: Int = 64, kind: Kind = .mixed) {
    self.kind = kind
    random = SeededRandom(seed: seed)
    templates = [Self.script(isIDX: false), Self.script(isIDX: true)]
    for index in 0..<concurrent {
      flows.append(flow())
      // So that they are not all at the same step.
      flows[index].step = 0
      flows[index].patience = Int(random.next() % 8)
    }
  }

  /// The events of one flow, in order.
  private static func script(isIDX: Bool) -> [EventTemplate] {
    let request = isIDX ? EventTemplate.requestIDX : .requestAuthn
    let response = isIDX ? EventTemplate.responseIDX : .responseAuthn
    let change = isIDX ? EventTemplate.remediationChanged : .statusChanged
    var script: [EventTemplate] = [.started, .callAuthenticate, .drawMade, request, response, change, .callReturned]
    for _ in 0..<6 { script += [.callMade, request, response, change, .callReturned] }
    return script + [.tokenIssued, .noteAdded, .ended]
  }

  /// One flow and its values.
  private struct Flow: Sendable {
    var stream: String
    var isIDX: Bool
    var values: [Hole: [UInt8]]
    var step = 0
    var patience = 0
    /// The number of its last event.
    var last: UInt64?
  }

  /// The next event.
  public mutating func next() -> NewRecord {
    while flows[turn].patience > 0 {
      flows[turn].patience -= 1
      turn = (turn + 1) % flows.count
    }
    let script = templates[flows[turn].isIDX ? 1 : 0]
    clock += Int64(random.next() % 600)
    let template = script[flows[turn].step]
    let data = fill(template, of: flows[turn])
    let record = NewRecord(
      at: Timestamp(microseconds: clock), stream: flows[turn].stream, type: template.type,
      cause: flows[turn].last.map { .position($0) }, data: data)
    flows[turn].last = count
    flows[turn].step += 1
    if flows[turn].step == script.count { flows[turn] = flow() }
    flows[turn].patience = Int(random.next() % 2)
    turn = (turn + 1) % flows.count
    count += 1
    return record
  }

  /// The next `count` events.
  public mutating func next(_ count: Int) -> [NewRecord] { (0..<count).map { _ in next() } }

  // MARK: Values

  private static let firstNames = [
    "Ann", "Bob", "Chandra", "Dmitri", "Elena", "Farid", "Grace", "Hiro", "Ines", "Jonas",
  ]
  private static let lastNames = ["Abbott", "Baker", "Chen", "Dubois", "Eriksen", "Fischer", "Garcia", "Hansen", "Ito"]

  private mutating func flow() -> Flow {
    let isIDX =
      switch kind {
      case .authn: false
      case .identityEngine: true
      case .mixed: random.next() % 4 == 0
      }
    let first = Self.firstNames[Int(random.next() % UInt64(Self.firstNames.count))]
    let last = Self.lastNames[Int(random.next() % UInt64(Self.lastNames.count))]
    let number = random.next() % 10_000
    let stream = (isIDX ? "idx/" : "authn/") + String(decoding: text(26, of: Self.base32), as: UTF8.self)
    var flow = Flow(
      stream: stream, isIDX: isIDX,
      values: [
        .login: Array("\(first.lowercased()).\(last.lowercased())\(number)@acme.example".utf8),
        .userID: Array("00u".utf8) + text(17, of: Self.base62), .firstName: Array(first.utf8),
        .lastName: Array(last.utf8), .phone: text(4, of: Self.digits), .factorID: objectID(),
        .device: Array("\(first)'s \(one(of: Self.devices))".utf8),
        .fingerprint: text(32, of: Self.hexDigits), .userAgent: Array(one(of: Self.userAgents).utf8),
        .locale: Array(one(of: Self.locales).utf8), .timeZone: Array(one(of: Self.timeZones).utf8),
      ])
    let chosen = (2...4).randomElement(using: &random) ?? 2
    enroll(&flow, EventTemplate.factors.shuffled(using: &random).prefix(chosen), as: .factorList, and: .factorSummary)
    if isIDX {
      let some = EventTemplate.authenticators.shuffled(using: &random).prefix(chosen + 1)
      enroll(&flow, some, as: .authenticators, and: .options)
    }
    return flow
  }

  /// Gives a flow some factors, each with an id of its own, in both ways that events name them.
  private mutating func enroll(
    _ flow: inout Flow, _ templates: ArraySlice<(EventTemplate, EventTemplate)>, as long: Hole, and short: Hole
  ) {
    var (all, brief): ([UInt8], [UInt8]) = ([], [])
    for (answer, summary) in templates {
      flow.values[.factorID] = objectID()
      if !all.isEmpty {
        all.append(0x2C)
        brief.append(0x2C)
      }
      all += fill(answer, of: flow)
      brief += fill(summary, of: flow)
    }
    flow.values[long] = all
    flow.values[short] = brief
  }

  private mutating func objectID() -> [UInt8] {
    Array(one(of: ["opf", "mbl", "uft", "eml", "fwf"]).utf8) + text(17, of: Self.base62)
  }

  private mutating func one(of list: [String]) -> String { list[Int(random.next() % UInt64(list.count))] }

  private static let devices = ["phone", "Pixel 9", "iPhone", "tablet", "work phone", "laptop"]
  private static let locales = ["en-US", "en-GB", "de-DE", "fr-FR", "es-MX", "ja-JP", "pt-BR", "nl-NL"]
  private static let timeZones = [
    "America/Los_Angeles", "America/New_York", "Europe/Berlin", "Europe/London", "Asia/Tokyo", "America/Sao_Paulo",
  ]
  private static let userAgents = [
    "FlowRecorder/0.1.0 Linux/6.1 Device/x86_64", "FlowRecorder/0.1.0 Linux/6.8 Device/aarch64 Acme-Desktop/24.11.3",
    "FlowRecorder/0.1.0 Linux/6.1 Device/x86_64 Acme-Mail/7.2.0", "FlowRecorder/0.1.0 Linux/5.15 Device/x86_64 kiosk",
    "FlowRecorder/0.0.9 Linux/6.8 Device/x86_64 Acme-Desktop/24.10.1", "FlowRecorder/0.1.0 Linux/6.10 Device/riscv64",
  ]

  private static let hexDigits = Array("0123456789abcdef".utf8)
  private static let digits = Array("0123456789".utf8)
  private static let base32 = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let base62 = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  private mutating func text(_ length: Int, of alphabet: [UInt8]) -> [UInt8] {
    var bits = random.next()
    return (0..<length).map { index in
      if index % 8 == 7 { bits = random.next() }
      defer { bits >>= 8 }
      return alphabet[Int(((bits & 0xFF) * UInt64(alphabet.count)) >> 8)]
    }
  }

  private mutating func fill(_ template: EventTemplate, of flow: Flow) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(2_048)
    for piece in template.pieces {
      switch piece {
      case .text(let bytes): out.append(contentsOf: bytes)
      case .hole(let hole): if let known = flow.values[hole] { out.append(contentsOf: known) } else { fill(hole, &out) }
      }
    }
    return out
  }

  private mutating func fill(_ hole: Hole, _ out: inout [UInt8]) {
    switch hole {
    case .requestID: out.append(contentsOf: text(27, of: Self.base62))
    case .objectID: out.append(contentsOf: text(20, of: Self.base62))
    case .time:
      out.append(contentsOf: Timestamp(microseconds: clock + 300_000_000).description.utf8.prefix(23) + [0x5A])
    case .httpDate:
      let time = Timestamp(microseconds: clock).description
      out.append(contentsOf: "Sat, 21 Nov 2026 \(time.dropFirst(11).prefix(8)) GMT".utf8)
    case .epoch: out.append(contentsOf: String(clock / 1_000_000 + 60).utf8)
    case .remaining: out.append(contentsOf: String(random.next() % 600).utf8)
    case .trace:
      out.append(contentsOf: "00-".utf8)
      out.append(contentsOf: text(32, of: Self.hexDigits))
      out.append(0x2D)
      out.append(contentsOf: text(16, of: Self.hexDigits))
      out.append(contentsOf: "-01".utf8)
    default: break
    }
  }
}
