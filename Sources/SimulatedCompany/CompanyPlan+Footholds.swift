// How an attacker gets in and stays in: guesses, their own factors, and a device for several accounts. These are
// planted among existing flows, so that all other flows stay the same.

import EventStore

extension CompanyPlan {
  /// The minimum number of flows in a company in which they are planted.
  static let leastForFootholds = 2_500

  /// Turns pairs of password-only sign-ins into sign-ins in which the org asks for a factor and one is set up: one by
  /// the employee, which is ordinary, and one from elsewhere, by an attacker who has the password.
  mutating func plantEnrollments(_ count: Int, _ random: CompanyRandom) {
    var random = random
    var free = flows.indices.filter { index in
      let employee = employees[flows[index].employee]
      return isFree(index) && flows[index].play == .success && employee.factor == "none"
        && !employee.usesIdentityEngine
    }
    for _ in 0..<count where free.count > 1 {
      let ordinary = free.remove(at: random.below(free.count))
      let planted = free.remove(at: random.below(free.count))
      let place = Self.attacker(&random)
      for index in [ordinary, planted] { flows[index].enrolled = "token:software:totp" }
      flows[planted].place = place
      let (at, victim) = (flows[planted].at, employees[flows[planted].employee].login)
      incidents.append(
        CompanyIncident(kind: .enrollment, place: place, user: victim, first: at, last: at, entered: [victim]))
    }
  }

  /// Turns sign-ins of several employees, one after another, into sign-ins from one device at an outside address.
  mutating func plantSharedDevices(_ count: Int, _ random: CompanyRandom) {
    var random = random
    var free = flows.indices.filter { index in
      isFree(index) && (flows[index].play == .success || flows[index].play == .pushApproved)
    }
    for number in 0..<count {
      let users = random.within(4...9)
      // More than will be used, because each employee counts only once.
      let length = users * 3
      guard free.count > length else { return }
      let start = random.below(free.count - length)
      var (taken, victims): ([Int], Set<Int>) = ([], [])
      for index in free[start..<start + length] where taken.count < users {
        if victims.insert(flows[index].employee).inserted { taken.append(index) }
      }
      let (place, device) = (Self.attacker(&random), "dev-x\(number)")
      for index in taken { (flows[index].place, flows[index].device) = (place, device) }
      free.removeSubrange(start..<start + length)
      guard let first = taken.first, let last = taken.last else { continue }
      incidents.append(
        CompanyIncident(
          kind: .shared, place: place, device: device, user: nil, first: flows[first].at, last: flows[last].at,
          entered: victims.map { employees[$0].login }.sorted()))
    }
  }

  /// Turns three sign-ins within half an hour into wrong passwords or codes for one employee's account, each from a
  /// different outside address. In every second incident, the last attempt is right. Another sign-in becomes that of an
  /// employee who mistypes three times, which is not an attack.
  mutating func plantGuessing(_ count: Int, _ random: CompanyRandom) {
    var random = random
    var free = flows.indices.filter { index in
      isFree(index) && (flows[index].play == .success || flows[index].play == .pushApproved)
    }
    for number in 0..<count {
      let starts = free.indices.dropLast(2).filter { start in
        let apart = flows[free[start + 2]].at.microseconds - flows[free[start]].at.microseconds
        return apart <= 1_800_000_000 && canBeGuessed(free[start])
      }
      guard !starts.isEmpty else { return }
      let start = starts[random.below(starts.count)]
      let taken = Array(free[start..<start + 3])
      free.removeSubrange(start..<start + 3)
      let victim = employees[flows[taken[0]].employee]
      let isRight = number.isMultiple(of: 2)
      for index in taken {
        flows[index].place = Self.attacker(&random)
        flows[index].guesses = PlannedGuesses(
          victim: victim, tries: random.within(6...10), isRight: isRight && index == taken[2])
      }
      incidents.append(
        CompanyIncident(
          kind: .guessing, place: flows[taken[0]].place, user: victim.login, first: flows[taken[0]].at,
          last: flows[taken[2]].at, entered: isRight ? [victim.login] : []))
      let careful = free.indices.filter { canBeGuessed(free[$0]) }
      guard !careful.isEmpty else { return }
      let mistyped = free.remove(at: careful[random.below(careful.count)])
      flows[mistyped].guesses = PlannedGuesses(
        victim: employees[flows[mistyped].employee], tries: 3, isRight: true)
    }
  }

  /// Whether the employee of a flow signs in to the classic API with only a password, or with a password and a code
  /// from an app.
  private func canBeGuessed(_ index: Int) -> Bool {
    let employee = employees[flows[index].employee]
    return !employee.usesIdentityEngine && (employee.factor == "none" || employee.factor == "totp")
  }

  /// Whether a flow is an ordinary one at the employee's own place, with nothing else planted in it.
  private func isFree(_ index: Int) -> Bool {
    flows[index].place == nil && flows[index].tokens == nil && flows[index].enrolled == nil
      && flows[index].guesses == nil
  }
}
