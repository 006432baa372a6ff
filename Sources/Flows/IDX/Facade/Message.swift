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
    private let origin: ResponseOrigin

    /// How bad a message is.
    public enum Severity: Sendable, Hashable {
      /// Something is wrong.
      case error
      /// Good to know.
      case info
      /// The org does not say, or says something else.
      case unknown

      /// Reads the word of the wire: `ERROR`.
      public init(string: String) { self.init(wire: string) }

      init(wire: String?) {
        switch wire {
        case "ERROR": self = .error
        case "INFO": self = .info
        default: self = .unknown
        }
      }
    }

    init(_ reading: MessageReading, field: Remediation.Form.Field?, _ origin: ResponseOrigin) {
      type = Severity(wire: reading.severity)
      localizationKey = reading.key
      message = reading.text ?? ""
      self.field = field
      self.origin = origin
    }

    /// The text, in which secrets are replaced.
    public var description: String { origin.masked(message) }

    /// Messages of one place, which know those of the places inside it.
    public struct Collection: RandomAccessCollection, Sendable, Hashable {
      /// A message.
      public typealias Element = Message

      /// The messages of this place alone.
      private let messages: [Message]
      /// These and all those of fields inside, in the order of the document.
      public let allMessages: [Message]

      init(_ messages: [Message], nested: [Message] = []) {
        self.messages = messages
        allMessages = messages + nested
      }

      /// The position of the first message of this place: 0.
      public var startIndex: Int { 0 }
      /// The position after the last message of this place.
      public var endIndex: Int { messages.count }

      /// The message at a position, which must be one of `indices`.
      public subscript(position: Int) -> Message { messages[position] }
      /// The message at a position, or `nil` if there is none; chosen if an optional is wanted.
      public subscript(index: some BinaryInteger) -> Message? { messages.at(index) }

      /// The first message that belongs to a field.
      public func message(for field: Remediation.Form.Field) -> Message? { allMessages.first { $0.field === field } }

      /// The first message that belongs to a field of that name.
      public func message(for fieldName: String) -> Message? { allMessages.first { $0.field?.name == fieldName } }
    }
  }
}

extension Response.Message: Hashable {
  /// Whether both say the same about the same field.
  public static func == (left: Response.Message, right: Response.Message) -> Bool {
    left.type == right.type && left.localizationKey == right.localizationKey && left.message == right.message
      && left.field === right.field
  }

  /// Hashes what the message says.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(localizationKey)
    hasher.combine(message)
  }
}

/// Messages of one place of a response.
public typealias MessageCollection = Response.Message.Collection
