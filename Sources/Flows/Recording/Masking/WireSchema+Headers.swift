import EventStore

extension WireSchema {
  /// The header `Retry-After`: seconds or a date.
  package static let retryAfter: WireSchema = .depending { value in
    value.string.map(WordForm.isDate) == true ? .date : .number
  }

  /// A media type: those that both sides always send are kept, even if they equal a password; others are text.
  package static let mediaType: WireSchema = .depending { value in
    value.string.map(mediaTypes.contains) == true ? .word(mediaTypes) : .text
  }

  private static let mediaTypes: Set<String> = {
    let bare = [
      "application/json", "application/ion+json", "application/x-www-form-urlencoded", "text/html", "text/plain",
    ]
    let more = ["", "; okta-version=1.0.0", "; charset=utf-8", "; charset=UTF-8", ";charset=utf-8", ";charset=UTF-8"]
    return Set(bare.flatMap { type in more.map { type + $0 } })
  }()
}
