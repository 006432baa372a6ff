// A password that is a word of the server's bodies must not change the sign-in.

import EventStore
import FlowRecording
import Replay

extension FlowBattery {
  /// Plays each scenario with each word of the server's own bodies as password: the same requests leave, but for the
  /// password, the same events are recorded, and the log replays.
  ///
  /// - Parameter least: how many words there must be at least, so that the test has something to try.
  /// - Returns: what was found. Cost: a play for each word.
  public func everyWord(atLeast least: Int = 20) async -> [String] {
    var findings: [String] = []
    for scenario in scenarios {
      guard let password = scenario.password else { continue }
      let whole = await play(scenario)
      if let error = whole.error { findings.append("\(scenario.name) does not end well: \(error)") }
      var words: Set<String> = []
      for body in whole.bodies { if let json = try? JSON(parsing: body) { Self.collect(json, into: &words) } }
      if words.count < least { findings.append("\(scenario.name) has only \(words.count) words") }
      for word in words.sorted() { findings += await compare(scenario, whole, password, word) }
    }
    return findings
  }

  private func compare(_ scenario: FlowScenario, _ whole: Play, _ password: String, _ word: String) async -> [String] {
    let name = "\(scenario.name), password '\(word)'"
    let played = await play(scenario, password: word)
    if let error = played.error, scenario.mayRefuse(word, error) { return [] }
    var findings: [String] = []
    if let error = played.error { findings.append("\(name): \(error)") }
    if let difference = Self.difference(Self.trail(played), Self.trail(whole)) {
      findings.append("\(name) is recorded otherwise, \(difference)")
    }
    let expected = whole.sent.map { Self.sent($0, replacing: password, with: word) }
    if let difference = Self.difference(played.sent.map { Self.sent($0) }, expected) {
      findings.append("\(name) sends something else, \(difference)")
    }
    // The word is no secret where the server says it itself.
    var scenario = scenario
    scenario.secrets = []
    return findings + check(played, of: scenario, name)
  }

  /// The first place at which two lists differ; nil if they are the same.
  private static func difference<Element: Equatable>(_ found: [Element], _ expected: [Element]) -> String? {
    guard found != expected else { return nil }
    let place = zip(found, expected).prefix { $0 == $1 }.count
    func text(_ list: [Element]) -> String { list.indices.contains(place) ? "\(list[place])" : "nothing" }
    return "at \(place) of \(found.count): \(text(found)) instead of \(text(expected))"
  }

  private static func trail(_ play: Play) -> [String] { play.flows.flatMap { $0.records.map(\.event.type) } }

  /// A request as it leaves, with another value in the place of one that is a whole text of its body, or a parameter of its
  /// address.
  private static func sent(_ request: HTTPRequest, replacing old: String = "", with new: String = "") -> [String] {
    var body = String(decoding: request.body ?? [], as: UTF8.self)
    var url = request.url
    if !old.isEmpty {
      body = body.replacing(JSON.string(old).text, with: JSON.string(new).text)
      url = url.replacing("=" + FormEncoding.encoded(old), with: "=" + FormEncoding.encoded(new))
    }
    return ["\(request.method) \(url)", body] + request.headers.map { "\($0.name): \($0.value)" }
  }

  /// Takes up the names of members, the texts, their words, and the numbers and booleans as text; up to 40 bytes each.
  private static func collect(_ json: JSON, into words: inout Set<String>) {
    func add(_ word: String) { if !word.isEmpty, word.utf8.count <= 40 { words.insert(word) } }
    switch json {
    case .object(let object):
      for member in object.members {
        add(member.key)
        collect(member.value, into: &words)
      }
    case .array(let elements): for element in elements { collect(element, into: &words) }
    case .string(let text):
      add(text)
      for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) { add(String(word)) }
    case .number, .bool: add(json.text)
    case .null: break
    }
  }
}
