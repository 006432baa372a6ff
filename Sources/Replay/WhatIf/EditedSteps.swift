// The inputs of a recorded flow, with edits in their places.

import EventStore
import FlowRecording

/// What a flow with edits is fed, in order.
struct EditedSteps {
  /// Something that a flow is fed.
  enum Item {
    /// A recorded input, so many milliseconds late.
    case recorded(FlowStep, late: Int)
    /// An answer in the place of the recorded one, which stays for the next request of its kind.
    case instead(FlowStep, FlowEvent)
    /// A call is given up: the one that the recorded step belongs to.
    case cancel(FlowStep)
  }

  private(set) var items: [Item] = []
  /// Recorded answers that an edit took away, for requests that are sent again.
  private(set) var spare: [FlowStep] = []
  /// The edits in a few words.
  let summary: String

  /// - Throws: `EditError` if the flow has nothing at the revision of an edit that it could change.
  init(_ flow: RecordedFlow, _ steps: [FlowStep], _ edits: [FlowEdit], policy: MaskingPolicy) throws(EditError) {
    summary = edits.map(\.words).joined(separator: "; ")
    items = steps.map { .recorded($0, late: 0) }
    for edit in edits {
      guard let index = items.firstIndex(where: { $0.isAt(edit.at) }) else {
        throw EditError(
          description: "\(flow.stream) has no input at revision \(edit.at), and no request there that is answered; "
            + "auditctl show lists its events")
      }
      try apply(edit, at: index, policy)
    }
  }

  private mutating func apply(_ edit: FlowEdit, at index: Int, _ policy: MaskingPolicy) throws(EditError) {
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
      for (name, value) in headers {
        response.headers.removeAll { $0.name.lowercased() == name.lowercased() }
        // What the policy does not record is not there for the SDK either.
        if let schema = policy.headers[name.lowercased()] {
          response.headers.append(
            HTTPField(name, SafeValues.masked(.string(value), as: schema).string ?? value))
        }
      }
      if let body { response.body = .json(SafeValues.masked(body, as: policy.response)) }
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
      // Only what would have come all the same comes before it.
      let place =
        items[index...].firstIndex { other in
          due.overflow || other.step.input.at.microseconds > due.partialValue || !other.step.isApart(from: step)
        } ?? items.count
      items.insert(.recorded(step, late: milliseconds), at: place)
    case .after(let revision):
      let item = items.remove(at: index)
      guard let place = items.firstIndex(where: { $0.isAt(revision) }) else {
        throw EditError(description: "the edit at \(edit.at) names revision \(revision), which is no input")
      }
      items.insert(item, at: place + 1)
    case .missing:
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

  private mutating func replace(_ index: Int, with event: FlowEvent) {
    let step = items[index].step
    items[index] = .instead(step, event)
    spare.append(step)
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

  /// Whether it is the input with a revision, or answers the event with it.
  fileprivate func isAt(_ revision: Int) -> Bool {
    if case .cancel = self { return false }
    return step.input.revision == revision || step.input.cause == revision
  }
}

extension FlowStep {
  /// Whether it would have come all the same, and no sooner, if another that came before had come later: it ended
  /// something that was begun before.
  fileprivate func isApart(from other: FlowStep) -> Bool { input.cause.map { $0 < other.input.revision } ?? false }

  /// Whether it is how a request ended.
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

/// Values that a person gave for a place of a recording: what must not stand there readable becomes a placeholder.
enum SafeValues {
  /// The value as it may stand in a recording. Placeholders stay, so that a changed copy of a recorded body keeps its
  /// handles.
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
