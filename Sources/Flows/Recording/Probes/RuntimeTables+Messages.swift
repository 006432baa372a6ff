// The reasons that keys of error messages stand for, and how the results of a replayed application are judged.

import EventStore

extension RuntimeTables {
  /// The reason for each key; of several words in a key, one counts.
  static var messages: [String] {
    let words = [
      "rejected", "cancelled", "timed_out", "timeout", "expired", "toomanyrequests", "too_many", "locked",
      "unknown.user", "invalid", "used_passcode", "incorrect", "verification_failed", "other", "",
    ]
    var keys = words.map { "api.\($0).error" } + words.map { $0.uppercased() }
    for (number, word) in words.enumerated() { keys += words[number...].map { "\($0).\(word)" } }
    keys += errorCodes + errorCodes.map { "errors.\($0)" } + ["errors.", "errors.errors.E0000004", "x.E0000004"]
    return keys.map { key in
      let reasons = [true, false].map { FailureReason(messageKey: key, isPassword: $0).rawValue }
      return line("key \(key)", reasons)
    }
  }

  /// What is wrong with results that come once, twice, or before their call has returned.
  static var handed: [String] {
    let results = PlayedResults<String>()
    var lines: [String] = []
    func note(_ name: String) {
      lines.append(line(name, (0..<4).map { results.complaint(about: $0) ?? "-" }))
    }
    note("nothing")
    results.keep("a", of: 1)
    note("once")
    results.keep("b", of: 2)
    results.keep("c", of: 2)
    note("twice")
    PlayedForms.$isCalling.withValue(true) { results.keep("d", of: 3) }
    note("early")
    lines.append(line("taken", (0..<4).map { results.take($0) ?? "-" }))
    lines.append(line("taken again", (0..<4).map { results.take($0) ?? "-" }))
    results.keep("e", of: 1)
    note("after it was taken")
    let complaints = [
      PlayedResults<String>.nothing, PlayedResults<String>.another, PlayedResults<String>.error("an error"),
    ]
    return lines + complaints
  }
}
