// The inputs of a recorded flow, with edits in their places.

import EventStore
import FlowRecording

/// The inputs of a flow with edits, in order.
struct EditedSteps {
  /// One input of the flow.
  enum Item {
    /// A recorded input, that many milliseconds late.
    case recorded(FlowStep, late: Int)
    /// An answer that replaces the recorded one, which remains for the next request of its kind that has no scripted
    /// answer.
    case instead(FlowStep, FlowEvent)
    /// Cancels the call that the recorded step belongs to.
    case cancel(FlowStep)
  }

  private(set) var items: [Item] = []
  /// Recorded answers that an edit removed, for requests that are sent again.
  private(set) var spare: [FlowStep] = []
  /// The edits in a few words.
  let summary: String
  /// Masks the answers if a person wrote them, so that they may contain anything.
  private(set) var masking: EditMasking?

  /// - Parameters:
  ///   - masking: masks answers that a person wrote; without it they are recorded ones, or the SDK's own.
  /// - Throws: `EditError` if the flow has nothing that an edit could change at its revision.
  init(
    _ flow: RecordedFlow, _ steps: [FlowStep], _ edits: [FlowEdit], policy: MaskingPolicy,
    masking: EditMasking? = nil
  ) throws(EditError) {
    summary = edits.map(\.words).joined(separator: "; ")
    self.masking = masking
    items = steps.map { .recorded($0, late: 0) }
    var earlier: [(input: Int, edit: FlowEdit)] = []
    // Revisions are those of the recording, whatever other edits take out or move.
    for edit in edits {
      guard let index = items.firstIndex(where: { $0.isAt(edit.at) }) else {
        if let other = earlier.first(where: { Self.isAt(edit.at, steps, $0.input) })?.edit {
          throw EditError(
            description: "the edit at \(edit.at) is about an input of the recording that the edit at \(other.at) takes "
              + "out; make one of them")
        }
        throw EditError(
          description: "\(flow.stream) has no input at revision \(edit.at), and no request there that is answered; "
            + "auditctl show lists its events as they were recorded, and their revisions count")
      }
      let input = items[index].step.input.revision
      // A call may be cancelled although its answer is changed as well.
      if let other = earlier.first(where: { $0.input == input && !$0.edit.isCancel && !edit.isCancel })?.edit {
        throw EditError(
          description: "the edits at \(other.at) and \(edit.at) are about one input, a request and its answer being "
            + "one place; make one of them")
      }
      earlier.append((input, edit))
      try apply(edit, at: index, policy, steps)
    }
  }

  /// True if an input of the recording is at a revision, or answers the event at it.
  private static func isAt(_ revision: Int, _ steps: [FlowStep], _ input: Int) -> Bool {
    steps.contains { $0.input.revision == input && ($0.input.revision == revision || $0.input.cause == revision) }
  }

  private mutating func apply(
    _ edit: FlowEdit, at index: Int, _ policy: MaskingPolicy, _ steps: [FlowStep]
  ) throws(EditError) {
    let step = items[index].step
    switch edit.change {
    case .answer(let status, let headers, let body, let isMalformed):
      guard step.isAnswer else { throw Self.noAnswer(edit.at) }
      var response: ResponseReceived
      if case .responseReceived(let recorded) = step.input.event {
        response = recorded
      } else {
        response = ResponseReceived(status: 200, headers: [], body: .empty)
      }
      if let status { response.status = status }
      if masking != nil {
        if let name = headers.first(where: { policy.headers[$0.name.lowercased()] == nil })?.name {
          throw Self.noHeader(name, "the edit at \(edit.at)", policy)
        }
        let written = masking?.response(status: response.status, headers: headers, body: body)
        for (name, _) in headers { response.headers.removeAll { $0.name.lowercased() == name.lowercased() } }
        response.headers += written?.headers ?? []
        if body != nil, let written { response.body = written.body }
      }
      for (name, value) in headers where masking == nil {
        response.headers.removeAll { $0.name.lowercased() == name.lowercased() }
        // Headers that the policy does not record do not exist for the SDK either.
        if let schema = policy.headers[name.lowercased()] {
          response.headers.append(
            HTTPField(name, SafeValues.masked(.string(value), as: schema).string ?? value))
        }
      }
      if let body, masking == nil { response.body = .json(SafeValues.masked(body, as: policy.response)) }
      if isMalformed {
        response.body = .opaque(reason: "unexpected byte at 0", length: 9, placeholder: "$secret.body.900$")
      }
      replace(index, with: .responseReceived(response))
    case .lost(let code):
      guard step.isAnswer else { throw Self.noAnswer(edit.at) }
      let error = TransportError(TransportError.Code(rawValue: code) ?? .other, "The answer was taken away.")
      replace(index, with: .requestFailed(RequestFailed(error)))
    case .late(let milliseconds):
      guard step.input.cause != nil else { throw Self.noWait(edit.at) }
      let due = step.input.at.microseconds.addingReportingOverflow(Int64(milliseconds) * 1_000)
      items.remove(at: index)
      // Only inputs that would have arrived anyway come before it.
      let place =
        items[index...].firstIndex { other in
          due.overflow || other.step.input.at.microseconds > due.partialValue || !other.step.isApart(from: step)
        } ?? items.count
      items.insert(.recorded(step, late: milliseconds), at: place)
    case .after(let revision): try move(index, behind: revision, edit, steps)
    case .missing:
      try Self.refuseStart(step, edit.at)
      if case .timerFired = step.input.event {
        throw EditError(
          description:
            "revision \(edit.at) is a timer that runs out, as it always does; say that it is late, or change what it waits for"
        )
      }
      items.remove(at: index)
    case .cancelled:
      guard step.input.cause != nil else { throw Self.noWait(edit.at) }
      items.insert(.cancel(step), at: index)
    }
  }

  /// Moves an input behind another one.
  ///
  /// - Parameter revision: that of the other input, or of the event that it answers.
  private mutating func move(
    _ index: Int, behind revision: Int, _ edit: FlowEdit, _ steps: [FlowStep]
  ) throws(EditError) {
    try Self.refuseStart(items[index].step, edit.at)
    guard !items[index].isAt(revision) else {
      throw EditError(
        description: "the edit at \(edit.at) names with 'after' revision \(revision), which is the same input, a "
          + "request and its answer being one place; give another one")
    }
    guard !Self.follows(revision, from: items[index].step, in: steps) else {
      throw EditError(
        description: "the edit at \(edit.at) names with 'after' revision \(revision), which comes only because of "
          + "what the edit moves; name one that comes without it")
    }
    let item = items.remove(at: index)
    guard let place = items.firstIndex(where: { $0.isAt(revision) }) else {
      let isRecorded = steps.contains { $0.input.revision == revision || $0.input.cause == revision }
      throw EditError(
        description: "the edit at \(edit.at) names with 'after' revision \(revision), "
          + (isRecorded
            ? "which another edit takes out; name one that stays"
            : "which is no input of the recording; auditctl show lists its events"))
    }
    items.insert(item, at: place + 1)
  }

  /// True if the input at a revision answers what another one led to, at once or by inputs between them.
  private static func follows(_ revision: Int, from earlier: FlowStep, in steps: [FlowStep]) -> Bool {
    guard let place = steps.firstIndex(where: { $0.input.revision == revision || $0.input.cause == revision }) else {
      return false
    }
    var cause = steps[place].input.cause
    for step in steps[..<place].reversed() {
      guard let wanted = cause else { return false }
      guard step.input.revision == wanted || step.outputs.contains(where: { $0.revision == wanted }) else { continue }
      if step.input.revision == earlier.input.revision { return true }
      cause = step.input.cause
    }
    return false
  }

  /// Refuses to take the start of a flow from its place: without it there is no flow.
  private static func refuseStart(_ step: FlowStep, _ at: Int) throws(EditError) {
    guard case .flowStarted = step.input.event else { return }
    throw EditError(
      description: "revision \(at) is the start of the flow, which stays in its place; give that of another input")
  }

  private mutating func replace(_ index: Int, with event: FlowEvent) {
    let step = items[index].step
    items[index] = .instead(step, event)
    spare.append(step)
  }

  /// The error for a header that answers do not have.
  static func noHeader(_ name: String, _ place: String, _ policy: MaskingPolicy) -> EditError {
    EditError(
      description: "\(place) gives the header '\(name)', which the SDK neither reads nor records; give one of "
        + policy.headers.keys.sorted().joined(separator: ", "))
  }

  private static func noWait(_ at: Int) -> EditError {
    EditError(
      description:
        "nothing waits for revision \(at); give that of a request, a timer or a draw that a call waits for, or of what ended it"
    )
  }

  private static func noAnswer(_ at: Int) -> EditError {
    EditError(description: "revision \(at) is no request and no answer to one, which another answer could be given to")
  }
}

extension EditedSteps.Item {
  /// The recorded step that it stands for.
  var step: FlowStep {
    switch self {
    case .recorded(let step, _), .instead(let step, _), .cancel(let step): step
    }
  }

  /// True if it is the input at a revision, or answers the event at it.
  fileprivate func isAt(_ revision: Int) -> Bool {
    if case .cancel = self { return false }
    return step.input.revision == revision || step.input.cause == revision
  }
}

extension FlowStep {
  /// True if it would have arrived at the same time even if an earlier input had arrived later: it ended an operation
  /// that was begun before.
  fileprivate func isApart(from other: FlowStep) -> Bool { input.cause.map { $0 < other.input.revision } ?? false }

  /// True if it is the end of a request.
  var isAnswer: Bool {
    switch input.event {
    case .responseReceived, .requestFailed: true
    case .flowStarted, .flowEnded, .noteAdded, .callMade, .callReturned, .requestSent, .drawAsked, .drawMade, .timerSet,
      .timerFired, .domain:
      false
    }
  }
}

extension FlowEdit {
  /// True if it cancels a call.
  fileprivate var isCancel: Bool { if case .cancelled = change { true } else { false } }

  /// `at 7 status 429`.
  fileprivate var words: String {
    let what =
      switch change {
      case .answer(let status, _, let body, let isMalformed):
        (status.map { "status \($0)" } ?? "") + (body == nil ? "" : " another body") + (isMalformed ? " malformed" : "")
      case .lost(let code): "lost \(code)"
      case .late(let milliseconds): "late \(milliseconds) ms"
      case .after(let revision): "after \(revision)"
      case .missing: "missing"
      case .cancelled: "cancelled"
      }
    return "at \(at) \(what)"
  }
}

/// Values of the SDK's own edits for a place of a recording: a value that must not be readable there becomes a
/// placeholder. Values that a person wrote go through `EditMasking`.
enum SafeValues {
  /// The value in the form that a recording may contain. Placeholders stay, so that a changed copy of a recorded body
  /// keeps its handles.
  static func masked(_ json: JSON, as schema: WireSchema) -> JSON {
    var number = 900
    return schema.mapValues(of: json) { schema, _, value in
      guard case .secret(let kind) = schema, value != .null, value != "" else { return value }
      if let text = value.string, text.hasPrefix("$secret."), text.hasSuffix("$") { return value }
      number += 1
      return .string("$secret.\(kind).\(number)$")
    }
  }
}
