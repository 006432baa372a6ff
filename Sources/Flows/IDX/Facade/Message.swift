// Messages for the person who signs in (idx §9).

import EventStore

extension Response {
  /// A message of the org.
  public final class Message: Sendable, CustomStringConvertible {
    /// How bad it is.
    public let type: Severity
    /// The key that the message is translated by: `errors.E0000004`.
    public let localizationKey: String?
    /// The text.
    public let message: String
    /// The field that it belongs to; nil for the whole step, and once the response is gone.
    public weak let field: Remediation.Form.Field?

    /// How bad a message is.
    public enum Severity: Sendable, Hashable {
      /// Something is wrong.
      case error
      /// Good to know.
      case info
      /// The org does not say, or says something else.
      case unknown

      init(wire: String?) {
        switch wire {
        case "ERROR": self = .error
        case "INFO": self = .info
        default: self = .unknown
        }
      }
    }

    init(_ reading: MessageReading, field: Remediation.Form.Field?) {
      type = Severity(wire: reading.severity)
      localizationKey = reading.key
      message = reading.text ?? ""
      self.field = field
    }

    /// The text.
    public var description: String { message }

    /// Messages of one place, which know those of the places inside it.
    public struct Collection: Sequence, Sendable {
      /// The messages of this place alone.
      private let messages: [Message]
      /// These and all those of fields inside, in the order of the document.
      public let allMessages: [Message]

      init(_ messages: [Message], nested: [Message] = []) {
        self.messages = messages
        allMessages = messages + nested
      }

      /// Whether this place has no message.
      public var isEmpty: Bool { messages.isEmpty }
      /// How many messages this place has.
      public var count: Int { messages.count }

      /// Goes through the messages of this place.
      public func makeIterator() -> IndexingIterator<[Message]> { messages.makeIterator() }

      /// The message of that position; nil where there is none.
      public subscript(index: Int) -> Message? { messages.indices.contains(index) ? messages[index] : nil }

      /// The first message that belongs to a field.
      public func message(for field: Remediation.Form.Field) -> Message? { allMessages.first { $0.field === field } }

      /// The first message that belongs to a field of that name.
      public func message(for fieldName: String) -> Message? { allMessages.first { $0.field?.name == fieldName } }
    }
  }
}

/// Messages of one place of a response.
public typealias MessageCollection = Response.Message.Collection
