// The cookies of one flow, kept apart from those of any other (DESIGN §7). Values are placeholders here.

package import EventStore

/// Cookies by the origin that set them, in the order of their names.
package struct CookieJar: Sendable, Equatable {
  /// A cookie with its value masked.
  package struct Cookie: Sendable, Equatable {
    package var origin: String
    package var name: String
    package var value: String
    /// When it expires, on the flow's clock; nil for one that lasts as long as the flow.
    package var expires: Timestamp?

    /// Makes a cookie.
    package init(origin: String, name: String, value: String, expires: Timestamp? = nil) {
      self.origin = origin
      self.name = name
      self.value = value
      self.expires = expires
    }
  }

  /// The maximum number of cookies per origin; further ones are ignored.
  package static let limit = 50
  /// The maximum length of a `Set-Cookie` value, in bytes.
  static let longest = 4096

  /// All cookies.
  package private(set) var cookies: [Cookie] = []

  /// An empty jar.
  package init() {}

  /// Stores the cookies that an answer sets, and removes those it sets as expired (RFC 6265 §5.3).
  ///
  /// - Parameters:
  ///   - response: the answer.
  ///   - origin: the origin of the answer.
  ///   - time: when it was received, on the flow's clock.
  ///   - ignored: the name of a cookie that it may not set.
  package mutating func take(
    _ response: ResponseReceived, from origin: String, at time: Timestamp, ignoring ignored: String? = nil
  ) {
    for field in response.headers where field.name.caseInsensitivelyEquals("set-cookie") {
      guard let cookie = SetCookie(recorded: field.value), cookie.recordedName != ignored else { continue }
      let date = response.header("date").flatMap(HTTPDate.seconds)
      let lifetime = cookie.lifetime(at: date ?? Int(time.microseconds / 1_000_000))
      guard lifetime.map({ $0 > 0 }) ?? true else {
        remove(cookie.recordedName, of: origin)
        continue
      }
      let expires = lifetime.map { Timestamp(microseconds: time.microseconds + Int64($0) * 1_000_000) }
      set(Cookie(origin: origin, name: cookie.recordedName, value: String(cookie.value), expires: expires))
    }
  }

  /// Removes expired cookies. A core does so with every event, so that its decisions are the same in a replay.
  package mutating func drop(endedAt time: Timestamp) {
    guard cookies.contains(where: { $0.expires != nil }) else { return }
    cookies.removeAll { cookie in cookie.expires.map { $0 <= time } ?? false }
  }

  /// Sets a cookie, replacing the one of the same name and origin; an empty value removes it.
  package mutating func set(_ cookie: Cookie) {
    remove(cookie.name, of: cookie.origin)
    guard !cookie.value.isEmpty, cookies.count(where: { $0.origin == cookie.origin }) < Self.limit else { return }
    cookies.append(cookie)
    cookies.sort { $0.name < $1.name }
  }

  /// Removes a cookie, if it is there.
  package mutating func remove(_ name: String, of origin: String) {
    cookies.removeAll { $0.name == name && $0.origin == origin }
  }

  /// The value of a `Cookie` header for an origin; nil if there is none to send.
  package func header(for origin: String) -> String? {
    let sent = cookies.filter { $0.origin == origin }
    return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  /// Whether a cookie of that name is sent to an origin.
  package func has(_ name: String, for origin: String) -> Bool {
    cookies.contains { $0.name == name && $0.origin == origin }
  }
}

extension HTTPResponse {
  /// The response without cookies that no jar stores, and these: those that are too long, and those after the fiftieth.
  /// The core sees placeholders and cannot know their lengths.
  var splitAtCookieLimits: (kept: HTTPResponse, dropped: [HTTPField]) {
    var response = self
    var dropped: [HTTPField] = []
    var count = 0
    response.headers.removeAll { field in
      guard field.name.caseInsensitivelyEquals("Set-Cookie") else { return false }
      count += 1
      guard count > CookieJar.limit || field.value.utf8.count > CookieJar.longest else { return false }
      dropped.append(field)
      return true
    }
    return (response, dropped)
  }
}
