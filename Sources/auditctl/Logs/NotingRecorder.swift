import FlowRecording

/// A recorder that remembers which flows began, in their order.
final class NotingRecorder: Recorder {
  private let recorder: LogRecorder
  private let begun = Locked<[String]>([])

  /// Records with another recorder.
  init(_ recorder: LogRecorder) { self.recorder = recorder }

  /// The flows that began.
  var streams: [String] { begun.withLock { $0 } }

  func journal(for stream: String) -> any FlowJournal {
    begun.withLock { $0.append(stream) }
    return recorder.journal(for: stream)
  }
}
