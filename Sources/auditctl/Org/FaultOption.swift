// A fault of the simulated org as `--fault` writes it: KIND[=VALUE][@PATH][:COUNT].

import Foundation
import SimulatedOrg

/// Reads faults.
enum FaultOption {
  /// Why a text is not a valid fault.
  struct Problem: Error {
    var reason: String
  }

  /// The kinds, with what they do.
  static let kinds: [(name: String, about: String)] = [
    ("latency=SECONDS", "the right answer, late"),
    ("rate-limit[=SECONDS]", "429 with a limit that resets after so long (30)"),
    ("rate-limit-bare", "429 without the headers of a rate limit"),
    ("server-error", "500 with the error object E0000009"),
    ("plain-error", "500 with a line of text"),
    ("reset", "the connection is reset before a byte"),
    ("close", "the connection ends before a byte"),
    ("cut[=BYTES]", "the right answer ends after so many bytes of its body (half)"),
    ("slow[=BYTES,SECONDS]", "the right answer in pieces (16 bytes, 0.01 s)"),
    ("bad-json", "the right answer, cut so that it is no JSON"),
    ("html", "200 with a page of a proxy"),
    ("empty", "200 without a body"),
    ("content-type=TYPE", "the right answer under another content type"),
    ("stray[=JSON]", "the right answer, an array, with one more element in its middle"),
    ("reply=STATUS[,BODY]", "another answer, as JSON"),
  ]

  /// The fault that a text describes.
  static func fault(_ text: String) throws(Problem) -> Fault {
    var rest = text[...]
    let (skipping, times) = try count(takenFrom: &rest)
    var path: String?
    if let at = rest.firstIndex(of: "@") {
      path = String(rest[rest.index(after: at)...])
      rest = rest[..<at]
      guard path?.isEmpty == false else { throw Problem(reason: "'\(text)' has no path behind @") }
    }
    let parts = rest.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let kind = try kind(String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    return Fault(kind, path: path, skipping: skipping, times: times)
  }

  /// `:3` the first three, `:2-4` the second to the fourth, `:all`; the first one if nothing is said.
  private static func count(takenFrom text: inout Substring) throws(Problem) -> (skipping: Int, times: Int) {
    guard let colon = text.lastIndex(of: ":") else { return (0, 1) }
    let word = text[text.index(after: colon)...]
    let isCount = !word.isEmpty && word.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    guard isCount || word == "all" else { return (0, 1) }
    text = text[..<colon]
    if word == "all" { return (0, .max) }
    let numbers = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    if numbers.count == 1, let count = numbers[0], count > 0 { return (0, count) }
    if numbers.count == 2, let first = numbers[0], let last = numbers[1], first > 0, last >= first {
      return (first - 1, last - first + 1)
    }
    throw Problem(reason: "':\(word)' is no count: write :3, :2-4 or :all")
  }

  private static func kind(_ name: String, _ value: String?) throws(Problem) -> Fault.Kind {
    switch name {
    case "latency":
      guard let seconds = seconds(value) else { throw Problem(reason: "latency needs seconds: latency=2.5") }
      return .latency(seconds: seconds)
    case "rate-limit":
      guard let value else { return .rateLimited() }
      guard let seconds = seconds(value) else { throw Problem(reason: "rate-limit takes seconds: rate-limit=30") }
      return .rateLimited(resetIn: seconds)
    case "cut":
      guard let value else { return .cutBody() }
      guard let bytes = Int(value), bytes >= 0 else { throw Problem(reason: "cut takes a number of bytes: cut=100") }
      return .cutBody(keeping: bytes)
    case "slow": return try slow(value)
    case "reply": return try reply(value)
    case "content-type":
      guard let value, !value.isEmpty else {
        throw Problem(reason: "content-type needs a type: content-type=text/plain")
      }
      return .contentType(value)
    case "stray":
      guard let element = OrgJSON(text: value ?? "{}") else { throw Problem(reason: "stray takes JSON: stray={}") }
      return .strayElement(element)
    default: break
    }
    guard let kind = plain[name] else {
      let names = kinds.map { $0.name.prefix { $0 != "=" && $0 != "[" } }
      throw Problem(reason: "there is no fault '\(name)'; there are \(names.joined(separator: ", "))")
    }
    guard value == nil else { throw Problem(reason: "\(name) takes no value") }
    return kind
  }

  /// The kinds that take no value.
  private static let plain: [String: Fault.Kind] = [
    "rate-limit-bare": .rateLimitedWithoutHeaders, "server-error": .serverError, "plain-error": .plainTextError,
    "reset": .connectionReset, "close": .connectionClosed, "bad-json": .malformedJSON, "html": .htmlPage,
    "empty": .emptyBody,
  ]

  private static func slow(_ value: String?) throws(Problem) -> Fault.Kind {
    guard let value else { return .slowBody() }
    let parts = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let bytes = Int(parts[0]), bytes > 0, let pause = seconds(parts[1]) else {
      throw Problem(reason: "slow takes bytes and seconds: slow=16,0.5")
    }
    return .slowBody(bytes: bytes, pause: pause)
  }

  private static func reply(_ value: String?) throws(Problem) -> Fault.Kind {
    let parts = (value ?? "").split(separator: ",", maxSplits: 1).map(String.init)
    guard let text = parts.first, let status = Int(text), (100...599).contains(status) else {
      throw Problem(reason: "reply needs a status from 100 to 599: reply=503, reply=400,{}")
    }
    return .reply(
      status: status, headers: ["Content-Type": "application/json"], body: parts.count > 1 ? parts[1] : "{}")
  }

  private static func seconds(_ text: String?) -> TimeInterval? {
    guard let text, let seconds = TimeInterval(text), seconds >= 0, seconds.isFinite else { return nil }
    return seconds
  }
}
