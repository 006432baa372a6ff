/// When a detection reports a finding. docs/REPORTS.md explains each rule.
package struct Thresholds: Sendable, Equatable {
  /// Limits for attacks from one place on many accounts.
  package struct Attack: Sendable, Equatable {
    /// The length of the window, in seconds.
    package var seconds: Int
    /// The minimum number of accounts that failed in it.
    package var users: Int
    /// The maximum average number of tries per account.
    package var tries: Double
    /// The minimum share of failed tries, in percent.
    package var percent: Int

    package init(seconds: Int, users: Int, tries: Double, percent: Int) {
      (self.seconds, self.users, self.tries, self.percent) = (seconds, users, tries, percent)
    }
  }

  /// The minimum number of pushes rejected or left unanswered, each within `fatigueSeconds` of the one before.
  package var fatiguePushes = 3
  /// The maximum time between two pushes of one run, in seconds.
  package var fatigueSeconds = 600
  /// A few tries on each of many accounts, over a longer time.
  package var spray = Attack(seconds: 3_600, users: 10, tries: 3, percent: 80)
  /// One try on each of many accounts, in a burst.
  package var stuffing = Attack(seconds: 600, users: 20, tries: 1.5, percent: 70)

  /// The minimum number of wrong passwords or codes of one account in `guessSeconds`. A person who forgot a password
  /// recovers it sooner; Okta's password policy locks an account after 10 unless it is set otherwise.
  package var guessTries = 8
  /// The length of that window, in seconds. A slower guesser has fewer than 200 tries a day.
  package var guessSeconds = 3_600

  /// The maximum time, in seconds, until an approval that counts as instant. An approval is not seen before the first
  /// poll: 5 s after the push in the classic API.
  package var quickSeconds = 6
  /// How long after a sign-in another one of the same account counts as an overlap, in seconds.
  package var overlapSeconds = 60
  /// The minimum number of accounts that share a device.
  package var sharedUsers = 2
  /// How long a person must not have signed in to be listed as inactive, in seconds.
  package var quietSeconds = 90 * 86_400

  /// How long after the holder's last use a use by someone else counts, in seconds; nil for any time.
  package var theftSeconds: Int?

  /// Working hours, Monday to Friday.
  package var work = 7..<19

  /// The default thresholds.
  package init() {}
}
