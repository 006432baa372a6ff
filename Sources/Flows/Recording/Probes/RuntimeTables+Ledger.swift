// What a ledger makes of answers: the org's time, by every form of the headers, and which calls and requests are open.

import EventStore

extension RuntimeTables {
  static var clocked: [String] { clocks + ledgers }

  private static let org = "https://acme.example"
  private static let noon = Timestamp(microseconds: 1_768_478_400_000_000)

  private typealias Plain = Ledger<Untagged, Untagged>

  /// Sends a request and takes its answer.
  private static func take(
    _ headers: [HTTPField], from url: String, home: String?, into ledger: inout Plain, at time: Timestamp = noon
  ) {
    let sent = RequestSent(method: "POST", url: url, headers: [], body: nil)
    ledger.send(sent, at: 1, for: 0, Untagged())
    let response = ResponseReceived(status: 200, headers: headers, body: .empty)
    ledger.receive(
      response, FlowRecord(revision: 2, at: time, cause: 1, event: .responseReceived(response)), home: home)
  }

  /// The org's time after a first answer, and after one that follows an answer with another time.
  private static func skews(_ headers: [HTTPField], from url: String = org, home: String? = org) -> String {
    var (first, second) = (Plain(), Plain())
    take(headers, from: url, home: home, into: &first)
    take([HTTPField("Date", "Thu, 15 Jan 2026 13:00:00 GMT")], from: org, home: org, into: &second)
    take(headers, from: url, home: home, into: &second)
    return [first, second].map { $0.skew.map { "\($0)" } ?? "-" }.joined(separator: " ")
  }

  private static var clocks: [String] {
    let date = HTTPField("Date", "Thu, 15 Jan 2026 12:00:05 GMT")
    let ages = ["0", "1", "-1", "00", "+1", "1.5", "soon", "", " 1", "3600", "99999999999999999999"]
    let dates = [
      "Thu, 15 Jan 2026 11:59:55 GMT", "Thu, 15-Jan-26 12:00:01 GMT", "Thu, 15 Jan 2026 12:00:00 UTC", "now", "",
      "2026-01-15T12:00:00Z", "1768478400",
    ]
    let urls = [
      "https://acme.example/a?b=c", "https://ACME.example:443/", "http://acme.example/", "https://b.example/",
      "https://acme.example:8443/", "https://sub.acme.example/", "", "no address",
    ]
    let homes: [String?] = [org, "https://acme.example/oauth2/default", "https://b.example", "", "no address", nil]
    let aged = ages.flatMap { age in
      [
        line("age \(age)", skews([date, HTTPField("Age", age)])),
        line("only age \(age)", skews([HTTPField("AGE", age)])),
      ]
    }
    let dated = dates.map { line("date \($0)", skews([HTTPField("date", $0)])) }
    let several: [String] = [
      line("no headers", skews([])), line("date", skews([date])),
      line("two dates", skews([HTTPField("Date", dates[0]), date])),
      line("a bad date first", skews([HTTPField("Date", ""), date])),
      line("two ages", skews([date, HTTPField("Age", "0"), HTTPField("Age", "7")])),
    ]
    let placed = urls.flatMap { url in
      homes.map { home in line("\(url) of \(home ?? "-")", skews([date], from: url, home: home)) }
    }
    return aged + dated + several + placed
  }

  /// A ledger in a few words.
  private static func text(_ ledger: Plain) -> String {
    let requests = ledger.requests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.call) \($0.value.origin)" }
    return "\(ledger.calls.keys.sorted()) \(requests) \(ledger.isOpen) \(ledger.latest?.revision ?? -1) "
      + "\(ledger.answer?.status ?? -1) \(ledger.answered?.revision ?? -1) \(ledger.outcomeOfRelease) "
      + "\(ledger.lastError ?? "-") \(ledger.outcome ?? "-") \(ledger.userAgent ?? "-") \(ledger.cookies.json.text)"
  }

  private static var ledgers: [String] {
    let cookies = [HTTPField("Set-Cookie", "sid=1"), HTTPField("Set-Cookie", "DT=2")]
    let response = ResponseReceived(status: 200, headers: cookies, body: .empty)
    let failed = RequestFailed(TransportError(.timedOut, "why"))
    let request = RequestSent(method: "POST", url: org, headers: [], body: nil)
    func record(_ cause: Int?) -> FlowRecord {
      FlowRecord(revision: 9, at: noon, cause: cause, event: .responseReceived(response))
    }
    let steps: [(String, (inout Plain) -> Void)] = [
      ("nothing", { _ in }), ("answer", { $0.receive(response, record(5), home: org) }),
      ("other answer", { $0.receive(response, record(6), home: org) }),
      ("answer without a cause", { $0.receive(response, record(nil), home: org) }),
      ("answer, a cookie ignored", { $0.receive(response, record(5), home: org, ignoring: "DT") }),
      ("answer of no org", { $0.receive(response, record(5), home: nil) }),
      ("failure", { $0.fail(failed, record(5)) }), ("status", { $0.close(CallReturned(call: 3, outcome: .status)) }),
      ("done", { $0.close(CallReturned(call: 4, outcome: .done)) }),
      ("cancelled", { $0.close(CallReturned(call: 3, outcome: .cancelled)) }),
      ("unknown call", { $0.close(CallReturned(call: 8, outcome: .done)) }),
      ("failed", { $0.close(CallReturned(call: 3, outcome: .failed(code: "wrongStatus", details: [:]))) }),
      ("ended", { $0.end(FlowEnded(outcome: "success")) }),
      ("request", { $0.send(request, at: 7, for: 4, Untagged()) }),
      ("request of no call", { $0.send(request, at: 7, for: nil, Untagged()) }),
      ("agent", { $0.take(DrawMade(kind: .userAgent, ordinal: 0, result: .success("agent"))) }),
      ("other draw", { $0.take(DrawMade(kind: DrawKind(rawValue: "odd"), ordinal: 0, result: .success("agent"))) }),
    ]
    return steps.flatMap { name, step in
      steps.map { next, following in
        var ledger = Plain()
        ledger.calls = [3: Untagged(), 4: Untagged()]
        ledger.send(request, at: 5, for: 3, Untagged())
        step(&ledger)
        following(&ledger)
        let given = [3, 8].flatMap { call in
          ledger.givingUp(CallMade(call: CallMade.giveUp, arguments: ["call": .int(call)]))
        }
        let after = (given + ledger.releasing(as: ledger.outcomeOfRelease)).map(\.data.text)
        return line("\(name), \(next)", "\(text(ledger)) \(after)")
      }
    }
  }
}
