// A logger of several destinations, each with its level.

public import Foundation
import FlowRecording

/// Where lines go.
public protocol OktaLoggerDestinationProtocol: AnyObject, Sendable {
  /// Its name among the destinations of a logger.
  var identifier: String { get }
  /// Which lines it takes.
  var level: OktaLoggerLogLevel { get set }
  /// Takes a line.
  func log(
    level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
    line: NSNumber, funcName: String)
}

/// Hands each line to the destinations whose level takes it.
public final class OktaLogger: OktaLoggerProtocol {
  private let destinations: [any OktaLoggerDestinationProtocol]

  /// Makes a logger. Of two destinations with the same identifier the first counts.
  public init(destinations: [any OktaLoggerDestinationProtocol]) {
    var names: Set<String> = []
    self.destinations = destinations.filter { names.insert($0.identifier).inserted }
  }

  /// Sets the level of some destinations.
  ///
  /// - Parameters:
  ///   - level: the level.
  ///   - identifiers: the names of the destinations; one that is not there is passed over.
  public func setLogLevel(level: OktaLoggerLogLevel, identifiers: [String]) {
    for destination in destinations where identifiers.contains(destination.identifier) { destination.level = level }
  }

  /// Hands a line on.
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

/// What most destinations begin with: a name and a level. A subclass says in `log` where a line goes.
open class OktaLoggerDestinationBase: OktaLoggerDestinationProtocol, @unchecked Sendable {
  // `@unchecked`: the level stands behind a lock, and the rest is immutable. A subclass answers for what it adds.

  /// Its name.
  public let identifier: String
  /// What each of its lines has besides.
  public let defaultProperties: [AnyHashable: Any]?
  private let taken: Locked<OktaLoggerLogLevel>

  /// Makes a destination.
  public init(identifier: String, level: OktaLoggerLogLevel, defaultProperties: [AnyHashable: Any]?) {
    self.identifier = identifier
    self.defaultProperties = defaultProperties
    taken = Locked(level)
  }

  /// Which lines it takes.
  public var level: OktaLoggerLogLevel {
    get { taken.withLock { $0 } }
    set { taken.withLock { $0 = newValue } }
  }

  /// Takes a line; does nothing here.
  open func log(
    level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
    line: NSNumber, funcName: String
  ) {}
}

/// Writes lines to standard error.
public final class OktaLoggerConsoleLogger: OktaLoggerDestinationBase, @unchecked Sendable {
  /// Writes a line: its level, the event, the sentence.
  public override func log(
    level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
    line: NSNumber, funcName: String
  ) {
    let words: [OktaLoggerLogLevel: String] = [
      .error: "error", .uiEvent: "ui", .warning: "warning", .info: "info", .debug: "debug",
    ]
    let text = [words[level] ?? "log", eventName, message ?? ""].joined(separator: " ")
    // What an org chose must not steer a terminal.
    let plain = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : Character($0) }
    FileHandle.standardError.write(Data((String(plain) + "\n").utf8))
  }
}
