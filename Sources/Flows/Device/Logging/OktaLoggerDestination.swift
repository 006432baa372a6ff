// A logger with several destinations, each with its own level.

public import Foundation
import FlowRecording

/// A destination for log lines.
public protocol OktaLoggerDestinationProtocol: AnyObject, Sendable {
  /// The destination's name, unique within a logger.
  var identifier: String { get }
  /// The lines that the destination accepts.
  var level: OktaLoggerLogLevel { get set }
  /// Receives a line.
  func log(
    level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
    line: NSNumber, funcName: String)
}

/// Passes each line to the destinations whose level includes it.
public final class OktaLogger: OktaLoggerProtocol {
  private let destinations: [any OktaLoggerDestinationProtocol]

  /// Creates a logger. If two destinations have the same identifier, the first one is kept.
  public init(destinations: [any OktaLoggerDestinationProtocol]) {
    var names: Set<String> = []
    self.destinations = destinations.filter { names.insert($0.identifier).inserted }
  }

  /// Sets the level of the named destinations.
  ///
  /// - Parameters:
  ///   - level: the new level.
  ///   - identifiers: the names of the destinations; unknown names are ignored.
  public func setLogLevel(level: OktaLoggerLogLevel, identifiers: [String]) {
    for destination in destinations where identifiers.contains(destination.identifier) { destination.level = level }
  }

  /// Passes a line to the destinations that accept it.
  public func log(
    level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
    line: NSNumber, funcName: String
  ) {
    for destination in destinations where destination.level.isSuperset(of: level) && level != .off {
      destination.log(
        level: level, eventName: eventName, message: message, properties: properties, file: file, line: line,
        funcName: funcName)
    }
  }
}

/// A base class for destinations, with a name and a level. Subclasses override `log` to write lines.
open class OktaLoggerDestinationBase: OktaLoggerDestinationProtocol, @unchecked Sendable {
  // `@unchecked`: the level is behind a lock, and the rest is immutable. Subclasses are responsible for what they add.

  /// The destination's name.
  public let identifier: String
  /// Properties that are added to each of its lines.
  public let defaultProperties: [AnyHashable: Any]?
  private let taken: Locked<OktaLoggerLogLevel>

  /// Creates a destination.
  public init(identifier: String, level: OktaLoggerLogLevel, defaultProperties: [AnyHashable: Any]?) {
    self.identifier = identifier
    self.defaultProperties = defaultProperties
    taken = Locked(level)
  }

  /// The lines that the destination accepts.
  public var level: OktaLoggerLogLevel {
    get { taken.withLock { $0 } }
    set { taken.withLock { $0 = newValue } }
  }

  /// Receives a line. The base class does nothing.
  open func log(
    level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
    line: NSNumber, funcName: String
  ) {}
}

/// Writes lines to standard error.
public final class OktaLoggerConsoleLogger: OktaLoggerDestinationBase, @unchecked Sendable {
  /// Writes a line with its level, event, and message.
  public override func log(
    level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
    line: NSNumber, funcName: String
  ) {
    let words: [OktaLoggerLogLevel: String] = [
      .error: "error", .uiEvent: "ui", .warning: "warning", .info: "info", .debug: "debug",
    ]
    let text = [words[level] ?? "log", eventName, message ?? ""].joined(separator: " ")
    // Text chosen by an org must not be able to control a terminal.
    let plain = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : Character($0) }
    FileHandle.standardError.write(Data((String(plain) + "\n").utf8))
  }
}
