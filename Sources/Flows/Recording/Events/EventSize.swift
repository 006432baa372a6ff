// The maximum size of an event, without encoding it.

import EventStore

extension FlowEvent {
  /// An upper bound for the size of its encoded data.
  var largestSize: Int {
    switch self {
    case .requestSent(let request):
      Self.frame + JSON.largestSize(of: request.method) + JSON.largestSize(of: request.url)
        + JSON.largestSize(of: request.foreignOrigin ?? "") + Self.size(of: request.headers)
        + (request.body?.largestSize ?? 0)
    case .responseReceived(let response):
      switch response.body {
      case .empty: Self.frame + Self.size(of: response.headers)
      case .json(let body): Self.frame + Self.size(of: response.headers) + body.largestSize
      case .opaque: data.largestSize
      }
    case .callMade(let made): Self.frame + JSON.largestSize(of: made.call) + made.arguments.largestSize
    case .domain(let event): event.data.largestSize
    case .timerSet, .timerFired, .flowStarted, .flowEnded, .noteAdded, .callReturned, .requestFailed, .drawAsked,
      .drawMade:
      data.largestSize
    }
  }

  /// An upper bound for an event's member names, numbers and punctuation.
  private static let frame = 384

  private static func size(of headers: [HTTPField]) -> Int {
    headers.reduce(2) { $0 + 4 + JSON.largestSize(of: $1.name) + JSON.largestSize(of: $1.value) }
  }
}

extension JSON {
  /// An upper bound for the size of the encoded value.
  fileprivate var largestSize: Int {
    switch self {
    case .null, .bool: 5
    case .number(let text): text.utf8.count
    case .string(let text): Self.largestSize(of: text)
    case .array(let elements): elements.reduce(2) { $0 + 1 + $1.largestSize }
    case .object(let object):
      object.members.reduce(2) { $0 + 2 + Self.largestSize(of: $1.key) + $1.value.largestSize }
    }
  }

  /// The same for a string: a byte becomes at most six.
  fileprivate static func largestSize(of text: String) -> Int { 2 + 6 * text.utf8.count }
}
