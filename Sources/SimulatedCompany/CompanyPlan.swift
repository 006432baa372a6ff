// The people who work at the company, what happens there, and the attacks planted among it.

public import EventStore

/// A planted attack or fault, for checking that it is found.
public struct CompanyIncident: Sendable, Equatable {
  /// The kind of incident.
  public enum Kind: String, Sendable, CaseIterable {
    /// Repeated pushes, until one is approved or the attacker stops.
    case fatigue
    /// A few passwords tried slowly on many accounts.
    case spray
    /// Known names and passwords tried in a burst.
    case stuffing
    /// Attempts on one account until it is locked.
    case lockout
    /// Stolen tokens that an attacker renews.
    case theft
    /// A factor set up by an attacker who has the password.
    case enrollment
    /// A device used for several accounts.
    case shared
    /// Many passwords or codes tried on one account, from several addresses.
    case guessing
    /// A log that is rolled back to an older copy of itself.
    case rollback
  }

  /// The kind of incident.
  public var kind: Kind
  /// The network address it comes from; `nil` for a rollback.
  public var place: String?
  /// The device used for several accounts; `nil` for other kinds.
  public var device: String?
  /// The person affected; `nil` if there are many.
  public var user: String?
  /// When it begins.
  public var first: Timestamp
  /// When it ends.
  public var last: Timestamp
  /// The accounts that the attacker got into, sorted by name.
  public var entered: [String]
  /// What a rollback removed; `nil` for other kinds.
  public var rollback: CompanyRollback?

  /// The incident as listed by `auditctl simulate --company --json`.
  public var json: JSON {
    .members([
      ("kind", .string(kind.rawValue)), ("place", place.map(JSON.string)), ("device", device.map(JSON.string)),
      ("user", user.map(JSON.string)), ("first", .string(first.description)), ("last", .string(last.description)),
      ("entered", .array(entered.map(JSON.string))), ("rollback", rollback?.json),
    ])
  }
}

/// A person at the company.
struct Employee {
  var login: String
  var address: String
  var device: String
  var factor: String
  var usesIdentityEngine: Bool
  var version: String
}

/// The course of one sign-in.
enum Play {
  case success
  case wrongPasswordFirst
  case wrongPassword
  case lockedOut
  case abandoned
  case wrongCodeFirst
  case pushRejected
  case pushTimedOut
  case pushApproved
  case connectionLost
  case rateLimited
  case recovery
  case unlock
  case tokens
  case device
}

/// A flow to be written.
struct PlannedFlow {
  var at: Timestamp
  var employee: Int
  var play: Play
  /// An address other than the employee's own.
  var place: String?
  /// Whether the employee's own device is at that address.
  var isRoaming = false
  /// A device other than the employee's own.
  var device: String?
  /// The factor that is set up in it, in the org's vocabulary.
  var enrolled: String?
  /// The wrong passwords or codes that make up the flow.
  var guesses: PlannedGuesses?
  /// The tokens that it obtains or uses, if other flows use them too.
  var tokens: PlannedTokens?
}

/// Tokens that several flows use.
struct PlannedTokens {
  /// The number that identifies the tokens.
  var number: Int
  /// Whether the org refuses to renew them.
  var isRefused = false
}

/// Wrong passwords or codes in one flow.
struct PlannedGuesses {
  /// The employee whose account is attacked, who may differ from the flow's employee.
  var victim: Employee
  /// The number of wrong attempts.
  var tries: Int
  /// Whether there is one more attempt, which is right.
  var isRight: Bool
}

/// The flows of a company, in chronological order.
struct CompanyPlan {
  let employees: [Employee]
  var flows: [PlannedFlow] = []
  var incidents: [CompanyIncident] = []
  private var random: CompanyRandom
  /// The beginning of the four simulated weeks.
  let begin: Timestamp

  /// The number of simulated days.
  static let days = 28

  init(seed: UInt64, flows count: Int, begin: Timestamp) {
    random = CompanyRandom(seed: seed)
    self.begin = begin
    employees = Self.employees(max(80, count / 50), &random)
    for _ in 0..<max(1, count / 10_000) where flows.count * 2 < count { plantAll() }
    while flows.count < count { ordinary(upTo: count) }
    flows = flows.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    plantThefts(max(1, count / 10_000), CompanyRandom(seed: seed ^ 0x7EF7))
    // A smaller company has too few sign-ins of the kind that is replaced.
    guard count >= Self.leastForFootholds else { return }
    plantEnrollments(max(1, count / 10_000), CompanyRandom(seed: seed ^ 0xE27011))
    plantSharedDevices(max(1, count / 10_000), CompanyRandom(seed: seed ^ 0x5A2ED))
    plantGuessing(max(1, count / 10_000), CompanyRandom(seed: seed ^ 0x60E55))
  }

  private static func employees(_ count: Int, _ random: inout CompanyRandom) -> [Employee] {
    let names = [
      "ann", "bob", "cleo", "dan", "eva", "finn", "gus", "hana", "ida", "jon", "kim", "leo", "mia", "nils", "ola",
    ]
    return (0..<count).map { index in
      Employee(
        login: "\(names[index % names.count])\(index)@acme.example",
        address: "198.51.\(100 + index / 250 % 100).\(index % 250 + 1)", device: "dev-\(index)",
        factor: random.one(of: ["push", "push", "push", "totp", "totp", "sms", "none"]),
        usesIdentityEngine: random.chance(perMille: 400), version: random.one(of: ["4.1", "4.2", "4.2", "4.3"]))
    }
  }

  // MARK: Ordinary days

  /// A random moment, mostly during a working day.
  private mutating func moment() -> Timestamp {
    let hour = random.chance(perMille: 900) ? random.within(7...18) : random.below(24)
    return time(day: random.below(Self.days), seconds: hour * 3_600 + random.below(3_600))
  }

  private mutating func time(day: Int, seconds: Int) -> Timestamp {
    begin.adding(seconds: day * 86_400 + seconds, microseconds: random.below(1_000_000))
  }

  private mutating func ordinary(upTo count: Int) {
    let employee = random.below(employees.count)
    let at = moment()
    let hasPush = employees[employee].factor == "push"
    switch random.below(1_000) {
    case ..<780: add(employee, hasPush ? .pushApproved : .success, at)
    case ..<840: add(employee, .wrongPasswordFirst, at)
    case ..<865: add(employee, .wrongPassword, at)
    case ..<885: add(employee, .abandoned, at)
    case ..<900: add(employee, hasPush ? .pushRejected : .wrongCodeFirst, at)
    case ..<910: add(employee, hasPush ? .pushTimedOut : .wrongCodeFirst, at)
    case ..<916: add(employee, .connectionLost, at)
    case ..<920: add(employee, .rateLimited, at)
    case ..<930: add(employee, .recovery, at)
    case ..<933:
      add(employee, .lockedOut, at)
      if flows.count < count { add(employee, .unlock, at.adding(seconds: random.within(120...3_000))) }
    case ..<970: add(employee, .tokens, at)
    case _: add(employee, .device, at)
    }
  }

  private mutating func add(_ employee: Int, _ play: Play, _ at: Timestamp, from place: String? = nil) {
    flows.append(PlannedFlow(at: at, employee: employee, play: play, place: place))
  }

  // MARK: Planted incidents

  private mutating func plantAll() {
    plantFatigue()
    plantSpray()
    plantStuffing()
    plantLockout()
    decoys()
  }

  private mutating func attacker() -> String { Self.attacker(&random) }

  /// An address outside the company.
  static func attacker(_ random: inout CompanyRandom) -> String {
    "203.0.\(random.within(113...200)).\(random.within(1...250))"
  }

  private mutating func plantFatigue() {
    guard let victim = employees.indices.filter({ employees[$0].factor == "push" }).randomOne(&random) else { return }
    let place = attacker()
    let first = time(day: random.below(Self.days), seconds: random.within(0...20_000))
    var at = first
    for _ in 0..<random.within(4...9) {
      add(victim, random.chance(perMille: 600) ? .pushRejected : .pushTimedOut, at, from: place)
      at = at.adding(seconds: random.within(130...240))
    }
    let isApproved = random.chance(perMille: 700)
    if isApproved { add(victim, .pushApproved, at, from: place) }
    incidents.append(
      CompanyIncident(
        kind: .fatigue, place: place, user: employees[victim].login, first: first, last: at,
        entered: isApproved ? [employees[victim].login] : []))
  }

  /// Password attempts on many accounts, spread evenly over some seconds.
  private mutating func attack(
    _ kind: CompanyIncident.Kind, accounts: ClosedRange<Int>, seconds: ClosedRange<Int>, enteredPerMille: Int
  ) {
    let count = min(random.within(accounts), employees.count)
    let place = attacker()
    let length = random.within(seconds)
    let first = time(day: random.below(Self.days), seconds: random.within(0...70_000))
    let start = random.below(employees.count)
    var entered: [String] = []
    var at = first
    for index in 0..<count {
      let victim = (start + index) % employees.count
      at = first.adding(seconds: length * index / max(1, count - 1))
      // A password alone is not enough for an account with a second factor.
      let isEntered = employees[victim].factor == "none" && random.chance(perMille: enteredPerMille)
      if isEntered { entered.append(employees[victim].login) }
      add(victim, isEntered ? .success : .wrongPassword, at, from: place)
    }
    incidents.append(
      CompanyIncident(kind: kind, place: place, user: nil, first: first, last: at, entered: entered.sorted()))
  }

  private mutating func plantSpray() { attack(.spray, accounts: 25...60, seconds: 2_700...3_300, enteredPerMille: 100) }
  private mutating func plantStuffing() {
    attack(.stuffing, accounts: 60...150, seconds: 240...500, enteredPerMille: 200)
  }

  private mutating func plantLockout() {
    let victim = random.below(employees.count)
    let place = attacker()
    let first = time(day: random.below(Self.days), seconds: random.within(0...80_000))
    var at = first
    for _ in 0..<5 {
      add(victim, .wrongPassword, at, from: place)
      at = at.adding(seconds: random.within(10...40))
    }
    add(victim, .lockedOut, at, from: place)
    incidents.append(
      CompanyIncident(
        kind: .lockout, place: place, user: employees[victim].login, first: first, last: at, entered: []))
  }

  /// Harmless events that look like attacks: an office behind one address on a Monday, and two pushes denied by
  /// mistake.
  private mutating func decoys() {
    let office = "192.0.2.\(random.within(1...250))"
    let monday = time(day: random.below(4) * 7, seconds: 8 * 3_600)
    for index in 0..<min(60, employees.count) {
      let play: Play =
        index % 8 == 0 ? .wrongPasswordFirst : employees[index].factor == "push" ? .pushApproved : .success
      add(index, play, monday.adding(seconds: index * 9), from: office)
    }
    guard let hasty = employees.indices.filter({ employees[$0].factor == "push" }).randomOne(&random) else { return }
    let at = time(day: random.below(Self.days), seconds: 40_000)
    add(hasty, .pushRejected, at)
    add(hasty, .pushTimedOut, at.adding(seconds: 60))
    add(hasty, .pushApproved, at.adding(seconds: 200))
  }
}

extension Array {
  fileprivate func randomOne(_ random: inout CompanyRandom) -> Element? { isEmpty ? nil : self[random.below(count)] }
}

extension Timestamp {
  func adding(seconds: Int = 0, milliseconds: Int = 0, microseconds: Int = 0) -> Timestamp {
    Timestamp(
      microseconds: self.microseconds + (Int64(seconds) * 1_000 + Int64(milliseconds)) * 1_000 + Int64(microseconds))
  }
}
