// The logger that applications of okta-devices-swift pass to the builder, under the names that their code uses.

public import Foundation
import FlowRecording

/// The lines that a destination accepts. Each level includes the more severe ones: `.info` also accepts warnings and
/// errors.
public struct OktaLoggerLogLevel: OptionSet, Sendable, Hashable {
  /// The bits of the option set.
  public let rawValue: Int

  /// Creates levels from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No lines.
  public static let off: OktaLoggerLogLevel = []
  /// Failures.
  public static let error = OktaLoggerLogLevel(rawValue: 1 << 4)
  /// Actions of the person. The SDK itself writes none.
  public static let uiEvent: OktaLoggerLogLevel = [OktaLoggerLogLevel(rawValue: 1 << 3), .error]
  /// Requests that the org refused or did not answer.
  public static let warning: OktaLoggerLogLevel = [OktaLoggerLogLevel(rawValue: 1 << 2), .uiEvent]
  /// Progress of a flow.
  public static let info: OktaLoggerLogLevel = [OktaLoggerLogLevel(rawValue: 1 << 1), .warning]
  /// Internal steps of the SDK.
  public static let debug: OktaLoggerLogLevel = [OktaLoggerLogLevel(rawValue: 1 << 0), .info]
  /// All lines.
  public static let all: OktaLoggerLogLevel = .debug
}

/// Receives the SDK's log, one line at a time.
///
/// The SDK calls it on one thread at a time, outside of its flows. Lines contain no secrets and no login, name, or
/// location of a person: `message` is one sentence, and `properties` are IDs and outcomes as text.
public protocol OktaLoggerProtocol: Sendable {
  /// Receives a line.
  ///
  /// - Parameters:
  ///   - level: the severity of the line.
  ///   - eventName: the event as recorded, such as `challenge.verified`.
  ///   - message: one sentence that describes the event.
  ///   - properties: `flow`, `revision`, and the IDs of the event.
  ///   - file: the source file that the line comes from.
  ///   - line: the line number in that file.
  ///   - funcName: the function that the line comes from.
  func log(
    level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
    line: NSNumber, funcName: String)
}

extension OktaLoggerProtocol {
  /// Calls `log` with the level `debug`.
  public func debug(
    eventName: String, message: String?, properties: [AnyHashable: Any]? = nil, file: String = #fileID,
    line: Int = #line,
    funcName: String = #function
  ) {
    log(.debug, eventName, message, properties, (file, line, funcName))
  }

  /// Calls `log` with the level `info`.
  public func info(
    eventName: String, message: String?, properties: [AnyHashable: Any]? = nil, file: String = #fileID,
    line: Int = #line,
    funcName: String = #function
  ) {
    log(.info, eventName, message, properties, (file, line, funcName))
  }

  /// Calls `log` with the level `warning`.
  public func warning(
    eventName: String, message: String?, properties: [AnyHashable: Any]? = nil, file: String = #fileID,
    line: Int = #line,
    funcName: String = #function
  ) {
    log(.warning, eventName, message, properties, (file, line, funcName))
  }

  /// Calls `log` with the level `uiEvent`.
  public func uiEvent(
    eventName: String, message: String?, properties: [AnyHashable: Any]? = nil, file: String = #fileID,
    line: Int = #line,
    funcName: String = #function
  ) {
    log(.uiEvent, eventName, message, properties, (file, line, funcName))
  }

  /// Calls `log` with the level `error`.
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

  /// Logs a line of a flow.
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
