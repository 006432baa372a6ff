// What the devices of a user make of one question that all of them were asked.

extension OrgState {
  /// The end of a question by what became of its challenges; `nil` while one of them may still bring it. The first answer
  /// ends it for the other devices.
  mutating func verdict(of challenges: [String]) -> PushAnswer? {
    let now = now
    let found = challenges.compactMap { device.challenges[$0] }
    let statuses = found.map { $0.status(at: now) }
    let verdict: PushAnswer?
    if statuses.contains(.approved) {
      verdict = .approve
    } else if statuses.contains(.denied) || statuses.contains(.rejected) {
      verdict = .reject
    } else if statuses.contains(.pending) {
      return nil
    } else {
      verdict = statuses.contains(.expired) ? .timeOut : .cancel
    }
    withdraw(challenges)
    return verdict
  }

  /// Ends those of the challenges that still wait.
  mutating func withdraw(_ challenges: [String]) {
    let now = now
    for id in challenges where device.challenges[id]?.status(at: now) == .pending {
      device.challenges[id]?.status = .superseded
    }
  }
}
