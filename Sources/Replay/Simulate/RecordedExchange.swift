// A recorded request and its answer, as an org that answers as recorded needs them.

/// A recorded request, by method and path, with its answer.
struct RecordedExchange: Sendable {
  /// The number of its flow in the recording.
  var flow: Int
  /// The method.
  var method: String
  /// The parts of the path.
  var path: [Substring]
  /// The answer; `nil` if a browser got it.
  var reply: RecordedReply?
  /// Where the answer leads.
  var redirect: RecordedRedirect?
  /// The client that was recorded.
  var client: String?
  /// True if the request carried no secret of an earlier answer of its flow: a client can begin with it.
  var isOpen: Bool
  /// True for metadata and keys, which are the same for all clients.
  var isDocument = false
}
