// Persons in the outputs of a flow that diverges, which stay as they were recorded.

import EventStore
import FlowRecording

/// Replaces personal values in outputs. The SDK's own words stay: a person may be called as a link or a factor is.
struct PersonalOutputs {
  private let words: PersonalWords
  private let replacements: [String: String]
  private let logins: Set<String>
  /// The names of members that are about a person.
  private let places: Set<String>
  private let ownWords: Set<String>

  /// - Parameters:
  ///   - policy: that of the kind of flow.
  ///   - replacements: the personal values with their replacements.
  ///   - logins: those among them that are logins.
  init(of policy: MaskingPolicy, _ replacements: [String: String], logins: Set<String>) {
    words = PersonalWords(replacements, logins: logins)
    (self.replacements, self.logins) = (replacements, logins)
    (places, ownWords) = (policy.personalNames, policy.ownWords)
  }

  /// An event that the SDK made, with the replacements in it; inputs as they are.
  func replaced(in event: FlowEvent) -> FlowEvent {
    switch event {
    case .callReturned(var returned):
      guard case .failed(let code, let details) = returned.outcome else { return event }
      returned.outcome = .failed(code: code, details: replaced(in: details, at: nil))
      return .callReturned(returned)
    case .requestSent(var sent):
      sent.url = words.replaced(in: sent.url)
      sent.headers = sent.headers.map { HTTPField($0.name, words.replaced(inTextOrURL: $0.value)) }
      sent.body = sent.body.map { replaced(in: $0, at: nil) }
      sent.foreignOrigin = sent.foreignOrigin.map { words.replaced(in: $0) }
      return .requestSent(sent)
    case .drawAsked(var asked):
      asked.input = replaced(in: asked.input, at: nil)
      return .drawAsked(asked)
    case .domain(let domain):
      return .domain(
        DomainEvent(type: domain.type, version: domain.version, data: replaced(in: domain.data, at: nil)))
    case .flowStarted, .flowEnded, .noteAdded, .callMade, .responseReceived, .requestFailed, .drawMade, .timerSet,
      .timerFired:
      return event
    }
  }

  /// - Parameter name: the name of the member that has the value.
  private func replaced(in json: JSON, at name: String?) -> JSON {
    switch json {
    case .string(let text):
      let isOfPerson = name.map { places.contains($0) } ?? false
      guard isOfPerson || !isOwn(text) else { return json }
      // A whole value is replaced however short it is.
      if isOfPerson || logins.contains(text), let made = replacements[text] { return .string(made) }
      return .string(words.replaced(inTextOrURL: text))
    case .array(let elements): return .array(elements.map { replaced(in: $0, at: name) })
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map { member in
            JSONObject.Member(key: member.key, value: replaced(in: member.value, at: member.key))
          }))
    case .null, .bool, .number: return json
    }
  }

  /// Whether a text consists of the SDK's own words: `push`, `next:poll`.
  private func isOwn(_ text: String) -> Bool {
    ownWords.contains(text) || text.split(separator: ":").allSatisfy { ownWords.contains(String($0)) }
  }
}

extension MaskingPolicy {
  /// The words of its closed vocabularies, and the names of members, which are those of links too.
  fileprivate var ownWords: Set<String> {
    var words: Set<String> = []
    for schema in [arguments, response, settings] {
      DeclaredPlaces.forEach(in: schema) { path, schema in
        words.formUnion(path)
        if case .word(let vocabulary) = schema { words.formUnion(vocabulary) }
      }
    }
    return words
  }
}
