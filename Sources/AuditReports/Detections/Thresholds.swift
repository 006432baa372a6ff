/// When a detection speaks. docs/REPORTS.md explains each rule.
package struct Thresholds: Sendable, Equatable {
  /// What one place does to many accounts.
  package struct Attack: Sendable, Equatable {
    /// How long the window is, in seconds.
    package var seconds: Int
    /// How many accounts must have failed in it, at least.
    package var users: Int
    /// How many tries each account got, at most, on average.
    package var tries: Double
    /// How many percent of the tries must have failed, at least.
    package var percent: Int

    package init(seconds: Int, users: Int, tries: Double, percent: Int) {
      (self.seconds, self.users, self.tries, self.percent) = (seconds, users, tries, percent)
    }
  }

  /// How many pushes must have been refused or left unanswered, at least, each within `fatigueSeconds` of the one
  /// before.
  package var fatiguePushes = 3
  /// How far two pushes of one run are apart at most, in seconds.
  package var fatigueSeconds = 600
  /// A few tries on each of many accounts, slowly.
  package var spray = Attack(seconds: 3_600, users: 10, tries: 3, percent: 80)
  /// One try on each of many accounts, in a burst.
  package var stuffing = Attack(seconds: 600, users: 20, tries: 1.5, percent: 70)

  /// How soon a push is approved at once, in seconds at most. No approval is seen sooner than at the first poll: 5 s
  /// after the push in the classic API.
  package var quickSeconds = 6
  /// How long after a sign-in another one of the same account counts, in seconds.
  package var overlapSeconds = 60
  /// How many accounts share a device, at least.
  package var sharedUsers = 2
  /// For how long a person has not signed in who is listed so, in seconds.
  package var quietSeconds = 90 * 86_400

  /// How long after the holder's last use a use by another counts, in seconds; nil for any time.
  package var theftSeconds: Int?

  /// The hours of work, Monday to Friday.
  package var work = 7..<19

  /// The thresholds that hold if none are given.
  package init() {}
}
