// The cookies of one flow, kept apart from those of any other (DESIGN §7). Values are placeholders here.

/// Cookies by the origin that set them, in the order of their names.
package struct CookieJar: Sendable, Equatable {
  /// A cookie, its value masked.
  package struct Cookie: Sendable, Equatable {
    package var origin: String
    package var name: String
    package var value: String

    /// Makes a cookie.
    package init(origin: String, name: String, value: String) {
      self.origin = origin
      self.name = name
      self.value = value
    }
  }

  /// All cookies.
  package private(set) var cookies: [Cookie] = []

  /// An empty jar.
  package init() {}

  /// Takes up what an answer sets.
  package mutating func take(_ response: ResponseReceived, from origin: String) {
    for field in response.headers where field.name.lowercased() == "set-cookie" {
      guard let pair = field.value.split(separator: ";", maxSplits: 1).first,
        let equals = pair.firstIndex(of: "=")
      else { continue }
      set(
        Cookie(
          origin: origin, name: String(pair[..<equals]), value: String(pair[pair.index(after: equals)...])))
    }
  }

  /// Puts a cookie in the place of an older one; an empty value removes that.
  package mutating func set(_ cookie: Cookie) {
    remove(cookie.name, of: cookie.origin)
    if !cookie.value.isEmpty { cookies.append(cookie) }
    cookies.sort { $0.name < $1.name }
  }

  /// Removes a cookie, if it is there.
  package mutating func remove(_ name: String, of origin: String) {
    cookies.removeAll { $0.name == name && $0.origin == origin }
  }

  /// The value of a `Cookie` header for an origin; nil where there is none to send.
  package func header(for origin: String) -> String? {
    let sent = cookies.filter { $0.origin == origin }
    return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  /// Whether a cookie of that name is sent to an origin.
  package func has(_ name: String, for origin: String) -> Bool {
    cookies.contains { $0.name == name && $0.origin == origin }
  }
}
