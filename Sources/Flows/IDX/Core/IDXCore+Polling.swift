// How the core polls: the form it polls with, the wait before each poll, and the end (idx §10).

import EventStore
import FlowRecording

extension IDXCore {
  /// Ends the current polling, if there is any.
  var endOfPolling: [FlowEvent] { ledger.cancelling(poll.map { [$0.call] } ?? []) }

  /// The form to poll with: that of the latest answer, or else of the response on which the call was made.
  func pollForm(of source: Poll.Source, on snapshot: IDXCore?) -> FormReading? {
    [poll?.answer, current?.body, snapshot?.current?.body].lazy.compactMap { $0 }
      .compactMap { ResponseReading($0).poll(source) }.first
  }

  /// Starts the timer for the next poll. It is not always possible to detect that the application has stopped waiting,
  /// so the interval grows the longer polling continues.
  func pollTimer(_ form: FormReading, delay: Int = 0, after elapsed: Int64 = 0) -> FlowEvent {
    let asked = form.refresh?.double.map { Int(min(max($0, Self.shortestInterval), 3_600_000)) } ?? 5000
    let interval = asked + delay
    // The interval doubles every ten minutes, up to one minute.
    let doublings = min(max(elapsed, 0) / Self.steady, 7)
    return .timerSet(
      TimerSet(milliseconds: max(interval, min(interval << doublings, 60_000)), purpose: Self.polling))
  }

  /// The shortest interval, in milliseconds, regardless of what the org asks for: at most two polls per second.
  private static let shortestInterval = 500.0
  /// How long polling keeps the org's interval, in microseconds.
  private static let steady: Int64 = 600_000_000
  /// The longest time that a transaction is polled, in microseconds. An expiry that moves on with every answer would
  /// otherwise never be reached.
  private static let longestPoll: Int64 = 3_600_000_000

  /// Whether polling has lasted longer than the transaction's lifetime according to the latest answer and the org's
  /// clock. The local clock may be wrong and is not compared with the org's times.
  func isExpired(_ poll: Poll, at time: Timestamp) -> Bool {
    if time.microseconds - poll.since.microseconds >= Self.longestPoll { return true }
    let response = ResponseReading(poll.answer ?? current?.body ?? [:])
    guard let skew = ledger.skew, let end = response.expiresAt.flatMap({ Timestamp($0) }) else { return false }
    return end.microseconds <= time.microseconds + skew
  }

  /// The timer for the next poll; `nil` if polling is over.
  func wait(of poll: Poll, for response: ResponseReceived, at time: Timestamp) -> FlowEvent? {
    guard let json = response.json else { return nil }
    let elapsed = time.microseconds - poll.since.microseconds
    func again(_ delay: Int) -> FlowEvent? {
      pollForm(of: poll.source, on: nil).map { pollTimer($0, delay: delay, after: elapsed) }
    }
    switch json["error"]?.string {
    case "slow_down": return again(poll.delay + 5000)
    case "authorization_pending": return again(poll.delay)
    default: break
    }
    let reading = ResponseReading(json)
    guard reading.isResponse, let form = reading.continued(poll.source) else { return nil }
    return pollTimer(form, delay: poll.delay, after: elapsed)
  }

  /// Errors after which polling continues, because the network may only be down temporarily (§10, §15 3).
  static let lost: Set<TransportError.Code> = [.cannotResolveHost, .cannotConnect, .connectionLost, .timedOut]
}
