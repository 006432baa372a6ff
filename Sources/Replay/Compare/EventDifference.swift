// The first place where two events differ, with the values on both sides.

import EventStore
import FlowRecording

/// A place in two events, and what each has there.
struct EventDifference: Equatable {
  /// `type`, `version`, `cause`, `data.headers.Cookie`, `data.body.items[2]`.
  var path: String
  /// `nil` if the recorded event has nothing there.
  var recorded: JSON?
  /// `nil` if the SDK's event has nothing there.
  var replayed: JSON?

  /// The first difference of two records that are not the same.
  init(_ recorded: FlowRecord, _ replayed: FlowRecord) {
    if recorded.event.type != replayed.event.type {
      self.init("type", .string(recorded.event.type), .string(replayed.event.type))
    } else if recorded.event.identity.version != replayed.event.identity.version {
      self.init("version", .int(recorded.event.identity.version), .int(replayed.event.identity.version))
    } else if let found = Self.find(recorded.event.data, replayed.event.data, at: "data") {
      self = found
    } else if recorded.cause != replayed.cause {
      self.init("cause", recorded.cause.map(JSON.int), replayed.cause.map(JSON.int))
    } else {
      self.init("rev", .int(recorded.revision), .int(replayed.revision))
    }
  }

  private init(_ path: String, _ recorded: JSON?, _ replayed: JSON?) {
    (self.path, self.recorded, self.replayed) = (path, recorded, replayed)
  }

  private static func find(_ recorded: JSON, _ replayed: JSON, at place: String) -> EventDifference? {
    switch (recorded, replayed) {
    case (.object(let one), .object(let other)):
      let keys = one.members.map(\.key) + other.members.map(\.key).filter { one[$0] == nil }
      for key in keys {
        guard let left = one[key], let right = other[key] else {
          return EventDifference("\(place).\(key)", one[key], other[key])
        }
        if let found = find(left, right, at: "\(place).\(key)") { return found }
      }
      // The same members in another order.
      return one == other ? nil : EventDifference(place, recorded, replayed)
    case (.array(let one), .array(let other)):
      if place == "data.headers", let found = header(one, other) { return found }
      for index in 0..<max(one.count, other.count) {
        guard index < one.count, index < other.count else {
          return EventDifference(
            "\(place)[\(index)]", index < one.count ? one[index] : nil, index < other.count ? other[index] : nil)
        }
        if let found = find(one[index], other[index], at: "\(place)[\(index)]") { return found }
      }
      return nil
    default: return recorded == replayed ? nil : EventDifference(place, recorded, replayed)
    }
  }

  /// The first header field whose values differ, by its name; `nil` if the fields are not pairs, or differ only in
  /// order.
  private static func header(_ recorded: [JSON], _ replayed: [JSON]) -> EventDifference? {
    func values(_ name: String, in fields: [JSON]) -> [JSON] {
      fields.filter { $0.array?.first?.string?.lowercased() == name }.compactMap { $0.array?.last }
    }
    func json(_ values: [JSON]) -> JSON? { values.count > 1 ? .array(values) : values.first }
    for field in recorded + replayed {
      guard let name = field.array?.first?.string else { return nil }
      let (one, other) = (values(name.lowercased(), in: recorded), values(name.lowercased(), in: replayed))
      if one != other { return EventDifference("data.headers.\(name)", json(one), json(other)) }
    }
    return nil
  }
}
