// The logger that applications of okta-devices-swift give to the builder, by the names that their code has.

public import Foundation
import FlowRecording

/// Which lines a destination takes. Each level has those above it in itself: `.info` takes warnings and errors too.
public struct OktaLoggerLogLevel: OptionSet, Sendable, Hashable {
  /// The number.
  public let rawValue: Int

  /// Levels of a number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// None.
  public static let off: OktaLoggerLogLevel = []
  /// What came to a bad end.
  public static let error = OktaLoggerLogLevel(rawValue: 1 << 4)
  /// What a person did; the SDK writes none.
  public static let uiEvent: OktaLoggerLogLevel = [OktaLoggerLogLevel(rawValue: 1 << 3), .error]
  /// What the org refused, or did not answer.
  public static let warning: OktaLoggerLogLevel = [OktaLoggerLogLevel(rawValue: 1 << 2), .uiEvent]
  /// What moved on.
  public static let info: OktaLoggerLogLevel = [OktaLoggerLogLevel(rawValue: 1 << 1), .warning]
  /// What the SDK does meanwhile.
  public static let debug: OktaLoggerLogLevel = [OktaLoggerLogLevel(rawValue: 1 << 0), .info]
  /// All.
  public static let all: OktaLoggerLogLevel = .debug
}

/// Takes what the SDK has to say, a line at a time.
///
/// The SDK calls it on one thread at a time, beside its flows. No line has a secret in it, nor a login, a name or a place of a
/// person: `message` is a sentence, `properties` are ids and outcomes as texts.
public protocol OktaLoggerProtocol: Sendable {
  /// Takes a line.
  ///
  /// - Parameters:
  ///   - level: how much it matters.
  ///   - eventName: the event as the log has it: `challenge.verified`.
  ///   - message: one sentence.
  ///   - properties: `flow` and `revision`, and ids of the event.
  ///   - file: the file that the line comes from.
  ///   - line: the line there.
  ///   - funcName: the function there.
  func log(
    level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
    line: NSNumber, funcName: String)
}

extension OktaLoggerProtocol {
  /// `log` with the level `debug`.
  public func debug(
    eventName: String, message: String?, properties: [AnyHashable: Any]? = nil, file: String = #fileID,
    line: Int = #line,
    funcName: String = #function
  ) {
    log(.debug, eventName, message, properties, (file, line, funcName))
  }

  /// `log` with the level `info`.
  public func info(
    eventName: String, message: String?, properties: [AnyHashable: Any]? = nil, file: String = #fileID,
    line: Int = #line,
    funcName: String = #function
  ) {
    log(.info, eventName, message, properties, (file, line, funcName))
  }

  /// `log` with the level `warning`.
  public func warning(
    eventName: String, message: String?, properties: [AnyHashable: Any]? = nil, file: String = #fileID,
    line: Int = #line,
    funcName: String = #function
  ) {
    log(.warning, eventName, message, properties, (file, line, funcName))
  }

  /// `log` with the level `uiEvent`.
  public func uiEvent(
    eventName: String, message: String?, properties: [AnyHashable: Any]? = nil, file: String = #fileID,
    line: Int = #line,
    funcName: String = #function
  ) {
    log(.uiEvent, eventName, message, properties, (file, line, funcName))
  }

  /// `log` with the level `error`.
  public func error(
    eventName: String, message: String?, properties: [AnyHashable: Any]? = nil, file: String = #fileID,
    line: Int = #line,
    funcName: String = #function
  ) {
    log(.error, eventName, message, properties, (file, line, funcName))
  }

  private func log(
    _ level: OktaLoggerLogLevel, _ eventName: String, _ message: String?, _ properties: [AnyHashable: Any]?,
    _ place: (file: String, line: Int, function: String)
  ) {
    log(
      level: level, eventName: eventName, message: message, properties: properties, file: place.file,
      line: NSNumber(value: place.line), funcName: place.function)
  }

  /// Takes a line of a flow.
  func take(_ line: FlowLine) {
    let level: OktaLoggerLogLevel =
      switch line.level {
      case .debug: .debug
      case .info: .info
      case .warning: .warning
      case .error: .error
      }
    log(level, line.event, line.message, line.properties, (#fileID, #line, line.properties["flow"] ?? ""))
  }
}
