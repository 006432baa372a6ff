// How many bytes an event can come to, without encoding it.

import EventStore

extension FlowEvent {
  /// A number that its encoded data does not exceed.
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

  /// More than the names of the members that an event has itself, with its numbers and what stands between.
  private static let frame = 384

  private static func size(of headers: [HTTPField]) -> Int {
    headers.reduce(2) { $0 + 4 + JSON.largestSize(of: $1.name) + JSON.largestSize(of: $1.value) }
  }
}

extension JSON {
  /// A number of bytes that the encoded value does not exceed.
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

  /// The same of a string: a byte becomes six at most.
  fileprivate static func largestSize(of text: String) -> Int { 2 + 6 * text.utf8.count }
}
