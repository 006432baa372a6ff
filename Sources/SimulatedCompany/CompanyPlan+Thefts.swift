// Stolen tokens that an attacker renews, planted among existing flows, so that all other flows stay as they are.

import EventStore

extension CompanyPlan {
  /// Turns renewals into renewals of one sign-in's tokens: first by their holder, then from elsewhere, then by the
  /// holder again, which the org refuses because the tokens were used. A second holder renews while traveling, which is
  /// not a theft.
  mutating func plantThefts(_ count: Int, _ random: CompanyRandom) {
    var random = random
    let renewals = flows.indices.filter { flows[$0].play == .tokens }
    let signIns = flows.indices.filter { index in
      let flow = flows[index]
      return flow.place == nil && employees[flow.employee].usesIdentityEngine
        && (flow.play == .success || flow.play == .pushApproved)
    }
    let length = renewals.count / count
    guard length >= 8 else { return }
    for theft in 0..<count {
      let start = theft * length + random.below(length - 7)
      let mine = Array(renewals[start..<start + 8])
      let before = signIns.prefix { $0 < mine[0] }
      guard let held = before.last, let roaming = before.dropLast().last(where: { isOther($0, than: held) }) else {
        continue
      }
      let place = Self.attacker(&random)
      give(mine[0..<4] + [mine[7]], tokensOf: held, number: theft * 2)
      flows[mine[3]].place = place
      flows[mine[7]].tokens?.isRefused = true
      give(mine[4..<7], tokensOf: roaming, number: theft * 2 + 1)
      (flows[mine[5]].place, flows[mine[5]].isRoaming) = (Self.attacker(&random), true)
      let victim = employees[flows[held].employee].login
      incidents.append(
        CompanyIncident(
          kind: .theft, place: place, user: victim, first: flows[mine[3]].at, last: flows[mine[3]].at,
          entered: [victim]))
    }
  }

  private func isOther(_ flow: Int, than other: Int) -> Bool { flows[flow].employee != flows[other].employee }

  private mutating func give(_ renewals: some Sequence<Int>, tokensOf signIn: Int, number: Int) {
    flows[signIn].tokens = PlannedTokens(number: number)
    for renewal in renewals {
      flows[renewal].employee = flows[signIn].employee
      flows[renewal].tokens = PlannedTokens(number: number)
    }
  }
}
