// The resident memory of a process that has appended ten million records.
import EventStore
import SignInEvents

enum WriterMemory {
  static let count = 10_000_000

  static func run(_ bench: Bench) throws -> [Figure] {
    let folder = try bench.fresh("memory")
    let answer = try Child.ask(["-append", folder, String(count)])
    bench.remove("memory")
    guard answer.count == 3 else { throw Failure(what: "the writing process failed") }
    return [
      Figure(
        "memory of a writer, 10 million appends", [answer[1] / 1_048_576], "MiB", .atMost(64),
        "largest \(Figure.short(answer[2] / 1_048_576)), before the first append \(Figure.short(answer[0] / 1_048_576))"
      )
    ]
  }

  static func appendInChild(_ arguments: [String]) throws {
    let log = try Store.open(arguments[0], .group(milliseconds: 5))
    var events = SignInEvents(seed: 9, kind: .authn)
    let before = residentMemory()
    var largest = 0
    for index in 0..<(Int(arguments[1]) ?? count) {
      _ = try log.append([events.next()])
      if index % 10_000 == 0 { largest = max(largest, residentMemory()) }
    }
    try log.flush()
    print(before, residentMemory(), largest)
    try log.close()
  }
}
