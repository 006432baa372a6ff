// Removes personal data from a recording and leaves everything else as it is.

import EventStore
public import FlowKinds
public import FlowRecording

/// Replaces the personal data of a recording, consistently and of the same shape.
///
/// The schema of each kind of flow says which values are about a person (`docs/SECURITY.md`): logins, names, phone
/// numbers, mail addresses, places. So does that of the context that an application gives a flow: addresses, devices,
/// correlations. They are replaced there, and wherever else in the recording they occur as a word;
/// remarks of the application are replaced as a whole. The SDK's outputs are made again from the inputs, so the
/// recording still replays. In the outputs of a flow that diverges, which stay as they were recorded, logins are
/// replaced in lower case too, and so are values that stand where the schemas have a person, and in no input. The words
/// of the kind's vocabularies stay there, even if someone is called so.
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
        throw .noKind(of: flow)
      }
      for record in flow.records { kind.forEachPersonal(of: record.event) { names.avoid($0) } }
    }
    var diverging: Set<Int> = []
    var logins: Set<String> = []
    for (index, flow) in recording.flows.enumerated() {
      guard let kind = kinds.kind(of: flow.records) else { continue }
      for record in flow.records { kind.forEachPersonal(of: record.event) { _ = names.replacement(of: $0) } }
      let isAsMade = (try? Replay.replay(Recording(name: "", flows: [flow]), kinds: kinds))?.isEmpty == true
      guard !isAsMade else { continue }
      diverging.insert(index)
      let stray = kind.strayPersonal(in: flow)
      for value in stray.values { _ = names.replacement(of: value) }
      logins.formUnion(stray.logins)
    }
    let words = PersonalWords(names.replacements)
    var outputs: [String: PersonalOutputs] = [:]
    var flows: [RecordedFlow] = []
    for (index, flow) in recording.flows.enumerated() {
      guard let kind = kinds.kind(of: flow.records) else { continue }
      let change: (FlowEvent) -> FlowEvent = { kind.anonymised($0, names, words) }
      if !diverging.contains(index), let made = kind.remade(flow, change) {
        flows.append(made)
        continue
      }
      // A flow that diverges must continue to diverge: its outputs stay as they were recorded.
      let ofKind = outputs[kind.name] ?? PersonalOutputs(of: kind.policy, names.replacements, logins: logins)
      outputs[kind.name] = ofKind
      var copy = flow
      for index in copy.records.indices {
        copy.records[index].event = ofKind.replaced(in: change(copy.records[index].event))
      }
      flows.append(copy)
    }
    return (Recording(name: recording.name, flows: flows), names.replacements.count)
  }
}

extension FlowKind {
  /// Calls `found` with the personal values of an input.
  fileprivate static func forEachPersonal(of event: FlowEvent, _ found: (String) -> Void) {
    func visit(_ schema: WireSchema, _ json: JSON) {
      _ = schema.mapValues(of: json) { schema, path, value in
        if schema.isPersonal || isNamedByPerson(path), case .string(let text) = value,
          PersonalWords.isReplaced(text)
        {
          found(text)
        }
        return value
      }
    }
    if case .flowStarted(let started) = event, let context = started.context { visit(FlowContext.schema, context) }
    if let (schema, json) = policy.document(of: event, draws: Core.draws) { visit(schema, json) }
  }

  /// Whether a person chose the text at a place: people name their passkeys.
  private static func isNamedByPerson(_ path: [String]) -> Bool { path.last == "authenticatorName" }

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
    case .flowStarted(var started):
      started.context = started.context.map { anonymised($0, by: FlowContext.schema, &names, words) }
      return anonymisedDocument(.flowStarted(started), &names, words)
    case .callMade, .drawMade: return anonymisedDocument(event, &names, words)
    case .flowEnded, .callReturned, .requestSent, .drawAsked, .timerSet, .timerFired, .domain: return event
    }
  }

  private static func anonymisedDocument(
    _ event: FlowEvent, _ names: inout Pseudonyms, _ words: PersonalWords
  ) -> FlowEvent {
    guard let (schema, json) = policy.document(of: event, draws: Core.draws) else { return event }
    return event.replacing(document: anonymised(json, by: schema, &names, words))
  }

  private static func anonymised(
    _ json: JSON, by schema: WireSchema, _ names: inout Pseudonyms, _ words: PersonalWords
  ) -> JSON {
    schema.mapValues(of: json) { schema, path, value in
      switch (schema, value) {
      case (.personal, .string(let text)), (.login, .string(let text)):
        return PersonalWords.isReplaced(text) ? .string(names.replacement(of: text)) : value
      case (.text, .string(let text)) where isNamedByPerson(path) && PersonalWords.isReplaced(text):
        return .string(names.replacement(of: text))
      case (.personal, .number(let text)): return .number(words.shaped(number: text))
      case (.identifier, .string(let text)): return .string(names.replacements[text] ?? text)
      case (.text, .string(let text)): return .string(words.replaced(inText: text))
      case (.url, .string(let text)): return .string(words.replaced(in: text))
      default: return value
      }
    }
  }
}
