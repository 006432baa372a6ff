// Removes personal data from a recording and leaves everything else as it is.

import EventStore
public import FlowKinds
public import FlowRecording

/// Replaces the personal data of a recording, consistently and of the same shape.
///
/// The schema of each kind of flow says which values are about a person (`docs/SECURITY.md`): logins, names, phone
/// numbers, mail addresses, places. They are replaced there, and wherever else in the recording they occur as a word;
/// remarks of the application are replaced as a whole. The SDK's outputs are made again from the inputs, so the
/// recording still replays.
public struct Anonymiser: Sendable {
  private let kinds: KindRegistry

  /// Makes an anonymiser for some kinds of flow.
  public init(kinds: KindRegistry = .standard) { self.kinds = kinds }

  /// Replaces the personal data of a recording. The same recording gives the same result.
  ///
  /// - Returns: the recording, and how many different values were replaced.
  /// - Throws: `ReplayError` if a flow is of an unknown kind.
  public func anonymise(_ recording: Recording) throws(ReplayError) -> (recording: Recording, values: Int) {
    var names = Pseudonyms()
    for flow in recording.flows {
      guard let kind = kinds.kind(of: flow.records) else {
        throw .unknownKind(stream: flow.stream, kind: Replay.kind(of: flow))
      }
      for record in flow.records { kind.collect(record.event, into: &names) }
    }
    let words = PersonalWords(names.replacements)
    var flows: [RecordedFlow] = []
    for flow in recording.flows {
      guard let kind = kinds.kind(of: flow.records) else { continue }
      let change: (FlowEvent) -> FlowEvent = { kind.anonymised($0, names, words) }
      let isAsMade = (try? Replay.replay(Recording(name: "", flows: [flow]), kinds: kinds))?.isEmpty == true
      if isAsMade, let made = kind.remade(flow, change) {
        flows.append(made)
        continue
      }
      // A flow that diverges must continue to diverge: its outputs stay as they were recorded.
      var copy = flow
      for index in copy.records.indices {
        let event = change(copy.records[index].event)
        copy.records[index].event = words.replaced(inOutput: event)
      }
      flows.append(copy)
    }
    return (Recording(name: recording.name, flows: flows), names.replacements.count)
  }
}

extension FlowKind {
  /// Learns the personal values of an input.
  fileprivate static func collect(_ event: FlowEvent, into names: inout Pseudonyms) {
    guard let (schema, json) = policy.document(of: event, draws: Core.draws) else { return }
    _ = schema.mapValues(of: json) { schema, _, value in
      if schema.isPersonal, case .string(let text) = value, PersonalWords.isReplaced(text) {
        _ = names.replacement(of: text)
      }
      return value
    }
  }

  /// An input without personal values.
  fileprivate static func anonymised(_ event: FlowEvent, _ names: Pseudonyms, _ words: PersonalWords) -> FlowEvent {
    var names = names
    switch event {
    case .noteAdded(let note): return .noteAdded(NoteAdded(text: names.replacement(of: note.text)))
    case .requestFailed(var failed):
      failed.detail = words.replaced(in: failed.detail)
      return .requestFailed(failed)
    case .responseReceived(var response):
      response.headers = response.headers.map { HTTPField($0.name, words.replaced(in: $0.value)) }
      return anonymisedDocument(.responseReceived(response), &names, words)
    case .flowStarted, .callMade, .drawMade: return anonymisedDocument(event, &names, words)
    case .flowEnded, .callReturned, .requestSent, .drawAsked, .timerSet, .timerFired, .domain: return event
    }
  }

  private static func anonymisedDocument(
    _ event: FlowEvent, _ names: inout Pseudonyms, _ words: PersonalWords
  ) -> FlowEvent {
    guard let (schema, json) = policy.document(of: event, draws: Core.draws) else { return event }
    return event.replacing(
      document: schema.mapValues(of: json) { schema, _, value in
        switch (schema, value) {
        case (.personal, .string(let text)), (.login, .string(let text)):
          return PersonalWords.isReplaced(text) ? .string(names.replacement(of: text)) : value
        case (.personal, .number(let text)): return .number(words.shaped(number: text))
        case (.identifier, .string(let text)): return .string(names.replacements[text] ?? text)
        case (.text, .string(let text)), (.url, .string(let text)): return .string(words.replaced(in: text))
        default: return value
        }
      })
  }
}
