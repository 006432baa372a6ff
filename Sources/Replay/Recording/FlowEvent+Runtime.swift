// The event types of the runtime: what only a flow records, and what a later version recorded.

package import FlowRecording

extension FlowEvent {
  /// The types of the runtime's events.
  static let runtimeTypes: Set<String> = [
    FlowStarted.type, FlowEnded.type, NoteAdded.type, CallMade.type, CallReturned.type, RequestSent.type,
    ResponseReceived.type, RequestFailed.type, DrawAsked.type, DrawMade.type, TimerSet.type, TimerFired.type,
  ]

  /// True if only a flow records such an event, in whatever version. An application may add notes to a stream of its
  /// own.
  var isOfFlow: Bool { type != NoteAdded.type && Self.runtimeTypes.contains(type) }

  /// A sentence if the event is one of the runtime in a version that this program does not know: it can be neither fed
  /// nor made. `nil` for any other event.
  package var unknownVersion: String? {
    guard case .domain(let event) = self, Self.runtimeTypes.contains(event.type) else { return nil }
    return "\(event.type) is of version \(event.version), which this program does not know, so a later version of it "
      + "recorded the flow: use that one"
  }
}
