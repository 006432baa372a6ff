// Messages for the person who signs in (idx §9).

import EventStore

extension Response {
  /// A message from the org.
  public final class Message: Sendable, CustomStringConvertible {
    /// The severity of the message.
    public let type: Severity
    /// The key for translating the message: `errors.E0000004`.
    public let localizationKey: String?
    /// The text of the message.
    public let message: String
    /// The field that it belongs to; `nil` for the whole step, or after the response was released.
    public weak let field: Remediation.Form.Field?
    private let origin: ResponseOrigin

    /// The severity of a message.
    public enum Severity: Sendable, Hashable {
      /// An error.
      case error
      /// Information.
      case info
      /// The org did not specify a known severity.
      case unknown

      /// Creates a severity from its name on the wire, such as `ERROR`.
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

    /// The text, with secrets replaced.
    public var description: String { origin.masked(message) }

    /// The messages at one level, with access to those of nested levels.
    public struct Collection: RandomAccessCollection, Sendable, Hashable {
      /// A message.
      public typealias Element = Message

      /// The messages at this level only.
      private let messages: [Message]
      /// These messages and those of all nested fields, in document order.
      public let allMessages: [Message]

      init(_ messages: [Message], nested: [Message] = []) {
        self.messages = messages
        allMessages = messages + nested
      }

      /// The position of the first message: 0.
      public var startIndex: Int { 0 }
      /// The position after the last message.
      public var endIndex: Int { messages.count }

      /// The message at a position, which must be one of `indices`.
      public subscript(position: Int) -> Message { messages[position] }
      /// The message at a position, or `nil` if there is none. This overload applies if an optional is expected.
      public subscript(index: some BinaryInteger) -> Message? { messages.at(index) }

      /// The first message that belongs to a field.
      public func message(for field: Remediation.Form.Field) -> Message? { allMessages.first { $0.field === field } }

      /// The first message that belongs to a field with the given name. Of a path such as `credentials.passcode`, the
      /// last name counts, unless a field has the whole name.
      public func message(for fieldName: String) -> Message? {
        let found = allMessages.first { $0.field?.name == fieldName }
        guard found == nil, let dot = fieldName.lastIndex(of: ".") else { return found }
        let last = String(fieldName[fieldName.index(after: dot)...])
        return allMessages.first { $0.field?.name == last }
      }
    }
  }
}

extension Response.Message: Hashable {
  /// Returns whether both have the same content for the same field.
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

/// The messages at one level of a response.
public typealias MessageCollection = Response.Message.Collection
