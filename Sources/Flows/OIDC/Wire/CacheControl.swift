// Determines how long a response may be cached (RFC 9111 §5.2.2).

/// Reads `Cache-Control`.
package enum CacheControl {
  /// Returns how many seconds a response may be cached: 0 if it must not be, `nil` if the header does not say.
  package static func maxAge(_ header: String?) -> Int? {
    guard let header else { return nil }
    var age: Int?
    for directive in header.lowercased().split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map { part in
        String(part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
      }
      switch parts.first {
      case "no-store", "no-cache": return 0
      case "max-age":
        if parts.count == 2, let seconds = Int(parts[1].filter { $0 != "\"" }), seconds >= 0 { age = seconds }
      default: break
      }
    }
    return age
  }
}
