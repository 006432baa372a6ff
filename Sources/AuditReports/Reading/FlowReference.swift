// How a person names a flow: by the stream, its id, or a prefix of either.

import EventStore

/// Finds the stream that a text names.
package enum FlowReference {
  /// The result of looking up a name.
  package enum Match: Sendable, Equatable {
    case one(String)
    case none
    case several(count: Int)
  }

  /// The part after the kind: `01JD…` of `authn/01JD…`.
  package static func identifier(of stream: String) -> String {
    guard let slash = stream.firstIndex(of: "/") else { return stream }
    return String(stream[stream.index(after: slash)...])
  }

  /// The stream that `name` refers to: the one of that name, or else the only one whose name or id begins with it. Case
  /// does not matter in ids.
  package static func match(_ name: String, in streams: some Sequence<String>) -> Match {
    var found: Set<ByteName> = []
    let wanted = name.lowercased()
    for stream in streams {
      if ByteName.isSame(stream, name) { return .one(stream) }
      if begins(stream, with: wanted) { found.insert(ByteName(stream)) }
    }
    guard let only = found.first else { return .none }
    return found.count == 1 ? .one(only.text) : .several(count: found.count)
  }

  /// The streams, without duplicates, whose names or ids begin with a name.
  package static func candidates(_ name: String, in streams: some Sequence<String>) -> [String] {
    let wanted = name.lowercased()
    return Set(streams.filter { begins($0, with: wanted) }.map { ByteName($0) }).map(\.text)
  }

  private static func begins(_ stream: String, with wanted: String) -> Bool {
    let lowered = stream.lowercased()
    return lowered.hasPrefix(wanted) || identifier(of: lowered).hasPrefix(wanted)
  }

  /// The length of the shortest prefix, at least eight characters, that distinguishes all ids.
  package static func shortLength(of identifiers: some Sequence<String>) -> Int {
    let sorted = Set(identifiers).sorted()
    var length = 8
    for (one, other) in zip(sorted, sorted.dropFirst()) {
      let common = zip(one, other).prefix { $0 == $1 }.count
      length = max(length, common + 1)
    }
    return length
  }
}
