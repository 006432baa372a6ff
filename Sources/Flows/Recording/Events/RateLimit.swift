// How long to wait because of a rate limit, on the server's clock (authn §9.3).

package import EventStore

/// The rate limit that an answer reports.
package struct RateLimit: Equatable {
  /// Requests per window; 0 if it limits concurrency.
  package var limit: Int?
  /// Requests left in the window.
  package var remaining: Int?
  /// Seconds until the window ends, by the server's own `Date`; at least 1. Nil if the answer does not state it, or if
  /// it limits concurrency and the reset is only a hint.
  package var askedSeconds: Int?

  /// The same, at most an hour.
  package var waitSeconds: Int? { askedSeconds.map { min($0, 3600) } }

  /// Seconds until the request may be retried: as the server requests, or else 1, 2, 4 … if it limits concurrency
  /// (authn §9.3). Nil if neither applies.
  ///
  /// - Parameter retries: the number of previous retries.
  package func seconds(afterRetries retries: Int) -> Int? {
    askedSeconds ?? (limit == 0 ? 1 << min(max(retries, 0), 6) : nil)
  }

  /// Reads the headers of an answer.
  ///
  /// - Parameters:
  ///   - response: the answer.
  ///   - time: when it was received, for a `Retry-After` date (RFC 9110 §10.2.3) in an answer without `Date`.
  package init(_ response: ResponseReceived, at time: Timestamp?) {
    limit = response.header("x-rate-limit-limit").flatMap { Int($0) }
    remaining = response.header("x-rate-limit-remaining").flatMap { Int($0) }
    let date = response.header("date").flatMap(HTTPDate.seconds)
    let after = response.header("retry-after")
    if let seconds = after.flatMap({ Int($0) }), seconds >= 0 {
      askedSeconds = max(seconds, 1)
    } else if let end = after.flatMap(HTTPDate.seconds),
      let now = date ?? time.map({ Int($0.microseconds / 1_000_000) })
    {
      askedSeconds = max(end - now, 1)
    } else if limit != 0, let reset = response.header("x-rate-limit-reset").flatMap({ Int($0) }), let date {
      let (wait, overflows) = reset.subtractingReportingOverflow(date)
      if !overflows { askedSeconds = max(wait, 1) }
    }
  }
}
