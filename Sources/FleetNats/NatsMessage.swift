#if Nats
  // A received message, copied out of the library's memory.
  import CNats
  import EventStore
  import Glibc

  /// A message of the engine.
  struct NatsMessage: Sendable {
    /// Its subject.
    var subject: String
    /// The subject for an answer; for a message of a consumer, its place in its stream.
    var reply: String
    /// The status of an answer without content: 404, 408, 409, 503; nil for a message.
    var status: Int?
    /// The header `Nats-Sequence` of a message that was read directly.
    var sequence: UInt64?
    /// The payload.
    var body: [UInt8]

    /// True if it reports that nothing received a request. A stored message with such a header has a sequence.
    var isUnanswered: Bool { status == 503 && sequence == nil && body.isEmpty }

    /// Copies a message and releases its memory.
    init(taking message: OpaquePointer) {
      subject = unsafe Self.text(natsMsg_GetSubject(message))
      reply = unsafe Self.text(natsMsg_GetReply(message))
      status = unsafe Self.header("Status", of: message).flatMap { Int($0) }
      sequence = unsafe Self.header("Nats-Sequence", of: message).flatMap { UInt64($0) }
      let count = unsafe Int(natsMsg_GetDataLength(message))
      // SAFETY: the library states the length of its own bytes.
      if count > 0, let bytes = unsafe natsMsg_GetData(message) {
        body = unsafe UnsafeRawBufferPointer(start: bytes, count: count).map { $0 }
      } else {
        body = []
      }
      unsafe natsMsg_Destroy(message)
    }

    /// The payload as JSON; nil if it is not JSON.
    var json: JSON? { try? JSON(parsing: body) }

    /// The last header of that name: headers stored with the message come first, and the server appends its own.
    private static func header(_ name: String, of message: OpaquePointer) -> String? {
      var values: UnsafeMutablePointer<UnsafePointer<CChar>?>?
      var count: Int32 = 0
      guard unsafe natsMsgHeader_Values(message, name, &values, &count) == NATS_OK, let values = unsafe values else {
        return nil
      }
      // SAFETY: the library states how many there are; we must free the array, and the message owns the strings.
      defer { unsafe free(values) }
      return count > 0 ? unsafe text(values[Int(count) - 1]) : nil
    }

    private static func text(_ bytes: UnsafePointer<CChar>?) -> String {
      // SAFETY: the library's strings end with a zero.
      unsafe bytes.map { unsafe String(cString: $0) } ?? ""
    }
  }
#endif
