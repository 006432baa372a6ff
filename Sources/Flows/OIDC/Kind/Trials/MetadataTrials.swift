// How long server metadata is cached, and which caller fetches it, for the kind's tables.

import EventStore
import FlowRecording

/// Queries to a metadata cache, with its answers.
enum MetadataTrials {
  private static func found(
    _ cache: MetadataCache, _ issuer: String = "a", leads: Bool = false, at later: Int64 = 0
  ) -> String {
    switch cache.lookUp(issuer, at: TrialWorld.at(later), takingTurn: leads) {
    case .known(let document): "known \(document.text)"
    case .fetching: "fetching"
    case .turn(let number): "turn \(number)"
    case .unknown: "unknown"
    }
  }

  private static func keep(
    _ cache: MetadataCache, _ issuer: String = "a", _ document: JSON = ["n": 1], maxAge: Int? = nil, at later: Int64 = 0
  ) -> Bool {
    cache.keep(document, of: issuer, maxAge: maxAge, at: TrialWorld.at(later))
  }

  /// One line per query to a metadata cache.
  static var caches: Set<String> { Set(ages + turns + crowds + waits) }

  private static var ages: [String] {
    let times: [Int64] = [
      -1, 0, 999_999, 1_000_000, 3_599_999_999, 3_600_000_000, 86_398_999_999, 86_399_999_999, 86_400_000_000,
      86_400_999_999,
    ]
    let ages: [Int?] = [nil, -1, 0, 1, 3_600, 86_399, 86_400, 86_401, Int.max]
    var lines = ages.enumerated().flatMap { number, age in
      let cache = MetadataCache()
      let isKept = keep(cache, maxAge: age)
      return times.map { "age \(number) \(isKept) \($0) \(found(cache, at: $0))" }
    }
    for (number, time) in [Int64.max - 1_000_000, Int64.max - 999_999, Int64.min].enumerated() {
      let isKept = MetadataCache().keep([:], of: "a", maxAge: 1, at: Timestamp(microseconds: time))
      lines.append("far \(number) \(isKept)")
    }
    return lines
  }

  private static var turns: [String] {
    let cache = MetadataCache()
    var lines = [found(cache), found(cache, leads: true), found(cache, leads: true), found(cache)]
    lines += [found(cache, "b"), found(cache, "b", leads: true)]
    cache.giveUp(2, of: "a")
    lines.append(found(cache))
    cache.giveUp(1, of: "a")
    lines += [found(cache), found(cache, "b"), found(cache, leads: true)]
    lines.append("\(keep(cache, maxAge: 60))")
    lines += [found(cache, leads: true), found(cache, at: 59_999_999), found(cache, leads: true, at: 60_000_000)]
    lines.append("\(keep(cache, maxAge: 0, at: 60_000_000))")
    lines += [found(cache, at: 60_000_000), found(cache, leads: true, at: 60_000_000)]
    lines.append("\(keep(cache, "a", ["n": 2], at: 61_000_000))")
    cache.giveUp(5, of: "a")
    lines += [found(cache, at: 60_999_999), found(cache, at: 61_000_000)]
    return lines.enumerated().map { "turn \($0) \($1)" }
  }

  private static var crowds: [String] {
    let cache = MetadataCache()
    func known() -> [Bool] { (0..<34).map { found(cache, "\($0)").hasPrefix("known") } }
    // The entry that expires first is evicted, no matter when it was added.
    for number in 0..<32 { _ = keep(cache, "\(number)", maxAge: number == 5 ? 60 : 600 + number) }
    var lines = [known()]
    _ = keep(cache, "7", maxAge: 61)
    lines.append(known())
    _ = keep(cache, "32")
    lines.append(known())
    _ = keep(cache, "33")
    lines.append(known())
    return lines.enumerated().map { "crowd \($0) \($1)" }
  }

  /// Flows that wait for metadata fetched by another flow.
  private static var waits: [String] {
    let cache = MetadataCache()
    let tasks = PlayedTasks()
    let heard = Locked<[Int: String]>([:])
    func wait(_ number: Int, _ issuer: String = "a", at later: Int64 = 0) {
      tasks.run(number) {
        let document = await cache.awaited(issuer, at: TrialWorld.at(later))
        heard.withLock { $0[number] = document?.text ?? "nothing" }
      }
    }
    func lines(_ name: String) -> String {
      tasks.runReady()
      let all = heard.withLock { $0 }.sorted { $0.key < $1.key }
      return "wait \(name) \(all.map { "\($0.key) \($0.value)" })"
    }
    wait(1)
    var all = [lines("for nothing")]
    _ = found(cache, leads: true)
    _ = found(cache, "b", leads: true)
    for number in 2...4 { wait(number) }
    wait(5, "b")
    all.append(lines("for another"))
    _ = tasks.cancel(3)
    all.append(lines("given up"))
    wait(6)
    _ = tasks.cancel(6)
    all.append(lines("given up before"))
    _ = keep(cache, maxAge: 0)
    all.append(lines("kept for none"))
    cache.giveUp(2, of: "b")
    all.append(lines("not fetched"))
    _ = keep(cache, "c", maxAge: 60)
    wait(7, "c")
    wait(8, "c", at: 60_000_000)
    all.append(lines("known"))
    return all
  }

  /// One line per draw that looks up or stores metadata.
  static var draws: Set<String> {
    let environment = TrialWorld.environment()
    var later = TrialWorld.environment(later: 60_000_000)
    later[MetadataCacheSeam.self] = environment[MetadataCacheSeam.self]
    func known(_ input: JSON) -> String { "\(input.text) \(MetadataDraws.known(input, environment).text)" }
    func shared(_ input: JSON) -> String {
      let value = TrialWorld.value { await MetadataDraws.shared(input, environment) }
      return "\(input.text) \(value?.text ?? "waits")"
    }
    func remember(_ input: JSON) -> String { "\(input.text) \(MetadataDraws.remember(input, environment))" }
    let (asking, leading): (JSON, JSON) = (["issuer": "a"], ["issuer": "a", "leads": true])
    var lines = [known(asking), known(["issuer": "a", "leads": 1]), known(leading), known(asking), known(leading)]
    lines += [known(["leads": true]), known([:]), known(["issuer": ""]), shared(["issuer": "b"])]
    // The turn ends with the call.
    environment[TokenLeaseSeam.self].end()
    lines += [known(asking), known(leading), known(asking)]
    lines += [
      remember(["issuer": "a"]), remember(["document": [:]]), remember([:]),
      remember(["issuer": "a", "document": ["n": 1], "maxAge": 0]), known(asking), shared(asking),
      remember(["issuer": "a", "document": ["n": 1], "maxAge": 60]), known(asking), known(leading), shared(asking),
      remember(["issuer": "b", "document": ["n": 2], "maxAge": "60"]), known(["issuer": "b"]),
      MetadataDraws.known(asking, later).text, MetadataDraws.known(["issuer": "b"], later).text,
    ]
    return Set(lines.enumerated().map { "\($0) \($1)" })
  }
}
