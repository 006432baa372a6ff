// Limits for what an org may make a flow do: an org that keeps answering must fill neither the network nor the disk.

/// The limits of a flow after the application begins a sign-in with it.
///
/// Counted again with each call that begins something: `start`, `authenticate`, a recovery. Past a limit nothing is
/// sent: the request is recorded, and the call fails with `TransportError.Code.limitReached`. The same applies without
/// a recorder.
public struct FlowLimits: Sendable, Hashable {
  /// The maximum number of requests. 5,000 by default: twice what an hour of polling takes that begins at half a second
  /// and becomes less frequent.
  public var requests: Int
  /// The size of the records, in bytes, after which no further request is sent. 12 MiB by default. One more answer may
  /// follow, so that a flow takes at most 16 MiB of a log before compression.
  public var recordedBytes: Int

  /// Makes limits.
  public init(requests: Int = 5_000, recordedBytes: Int = 12 << 20) {
    self.requests = requests
    self.recordedBytes = recordedBytes
  }
}

/// What a flow has done since the application began a sign-in with it.
struct FlowUsage {
  private var requests = 0
  private var recordedBytes = 0

  /// Counts what a step has recorded, or would have.
  mutating func record(_ bytes: Int) { recordedBytes += bytes }

  /// Counts a request about to be sent. Returns why it must not be sent, or nil.
  mutating func send(within limits: FlowLimits) -> TransportError? {
    guard recordedBytes < limits.recordedBytes else {
      return TransportError(
        .limitReached, "The flow has recorded \(limits.recordedBytes) bytes, its limit; nothing was sent.")
    }
    guard requests < limits.requests else {
      return TransportError(
        .limitReached, "The flow has sent \(limits.requests) requests, its limit; nothing was sent.")
    }
    requests += 1
    return nil
  }
}
