// Events are the same only if they are equal to the byte. `==` compares texts by canonical equivalence, so that «é» of
// one scalar and of two are equal.

import EventStore
import FlowRecording

extension FlowEvent {
  /// True if two events are equal to the byte.
  func isSame(as other: FlowEvent) -> Bool {
    switch (self, other) {
    case (.requestSent(let one), .requestSent(let two)):
      one.method.isSame(as: two.method) && one.url.isSame(as: two.url)
        && HTTPField.areSame(one.headers, two.headers) && one.body == two.body && one.encoding == two.encoding
        && String.areSame(one.foreignOrigin, two.foreignOrigin)
    case (.responseReceived(let one), .responseReceived(let two)):
      one.status == two.status && HTTPField.areSame(one.headers, two.headers) && one.body.isSame(as: two.body)
        && one.timing == two.timing
    case (.callMade(let one), .callMade(let two)):
      one.call.isSame(as: two.call) && one.on == two.on && one.arguments == two.arguments
    case (.domain(let one), .domain(let two)):
      one.type.isSame(as: two.type) && one.version == two.version && one.data == two.data
    case (.timerFired, .timerFired): true
    case (.timerSet(let one), .timerSet(let two)):
      one.milliseconds == two.milliseconds && one.purpose.isSame(as: two.purpose)
    default:
      // Short, rare or of two types: their data is compared.
      self == other && data == other.data
    }
  }
}

extension RecordedBody {
  fileprivate func isSame(as other: RecordedBody) -> Bool {
    switch (self, other) {
    case (.empty, .empty): true
    case (.json(let one), .json(let two)): one == two
    case (.opaque(let reason, let length, let placeholder), .opaque(let reason2, let length2, let placeholder2)):
      reason.isSame(as: reason2) && length == length2 && placeholder.isSame(as: placeholder2)
    case (.empty, _), (.json, _), (.opaque, _): false
    }
  }
}

extension HTTPField {
  fileprivate static func areSame(_ one: [HTTPField], _ other: [HTTPField]) -> Bool {
    one.elementsEqual(other) { $0.name.isSame(as: $1.name) && $0.value.isSame(as: $1.value) }
  }
}

extension String {
  fileprivate static func areSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.isSame(as: other)
  }
}
