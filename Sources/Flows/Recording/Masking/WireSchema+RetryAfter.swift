import EventStore

extension WireSchema {
  /// The header `Retry-After`: seconds or a date.
  package static let retryAfter: WireSchema = .depending { value in
    value.string.map(WordForm.isDate) == true ? .date : .number
  }
}
