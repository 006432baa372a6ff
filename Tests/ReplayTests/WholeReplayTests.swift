import EventStore
import FlowKinds
import Foundation
import Scenarios
import Testing

@testable import FlowRecording
@testable import Replay

/// Replays that run the runtime around the cores.
@Suite struct WholeReplayTests {
  @Test(
    "a golden recording runs through masking, revealing and encoding as it was recorded",
    arguments: GoldenRecordingTests.paths)
  func golden(path: String) throws {
    let recording = try Recording(contentsOf: path)
    #expect(recording.flows.allSatisfy { PlaceholderNames(of: $0.records).haveSurrogates })
    for divergence in try Replay.replay(recording, depth: .whole) {
      Issue.record("\(divergence.message); \(divergence.expected?.text ?? "") and \(divergence.actual?.text ?? "")")
    }
  }

  @Test("every golden flow runs whole, but for some with values that do not fit their places and no stand-in for them")
  func wholeFlows() throws {
    var left: [String] = []
    for path in GoldenRecordingTests.paths {
      let recording = try Recording(contentsOf: path)
      for flow in recording.flows {
        let kind = try #require(KindRegistry.standard.kind(of: flow.records))
        if !kind.canRunWhole(flow) {
          left.append(String(URL(fileURLWithPath: path).lastPathComponent.prefix { $0 != "." }))
        }
      }
    }
    let names = [
      "device-edge-defects": 1, "idx-corner-fields": 3, "idx-corner-options": 2, "idx-page-varied-authenticators": 5,
      "idx-page-varied-details": 5,
      "idx-page-varied-fields": 10, "idx-page-varied-remediations": 6, "oidc-edge-metadata": 1,
      "oidc-identity-missing": 3, "page-varied-factors": 2, "varied-idx": 6, "varied-oidc": 1,
    ]
    #expect(Dictionary(left.map { ($0, 1) }, uniquingKeysWith: +) == names)
  }

  /// Changes that a core takes as they are, as a runtime would make them that has lost a law.
  static let changes: [(name: String, from: String, to: String, type: String)] = [
    ("a password in clear", "$secret.password.1$", "hunter2-in-clear", "call.made"),
    ("a state token in clear", "$secret.stateToken.1$", "00state-token-in-clear", "response.received"),
    ("a cookie in clear", "$secret.cookie.1$", "cookie-in-clear", "response.received"),
    ("a secret of another kind", "$secret.stateToken.1$", "$secret.stateHandle.1$", "response.received"),
    ("a count that skips", "$secret.stateToken.1$", "$secret.stateToken.2$", "response.received"),
  ]

  @Test("what stands in clear, or under another name, is found where it enters", arguments: changes)
  func masking(change: (name: String, from: String, to: String, type: String)) async throws {
    let flow = try changed(try await Self.pushApproved()) { $0.replacing(change.from, with: change.to) }
    #expect(try Replay.replay(Recording(name: "r", flows: [flow]), depth: .core) == [])
    let found = try #require(try Replay.replay(Recording(name: "r", flows: [flow]), depth: .whole).first)
    #expect(found.kind == .different && found.expected?["type"]?.string == change.type, "\(found.message)")
  }

  @Test("what is wrong around an event that is as recorded is a value of the divergence")
  func complaint() async throws {
    let flow = try changed(try await Self.pushApproved()) {
      $0.replacing("FlowRecorder/0.1.0 Linux/6 Device/x86_64", with: "Flow\\nX: y")
    }
    let found = try #require(try Replay.replay(Recording(name: "r", flows: [flow])).first)
    #expect(found.complaint == "the transport does not send such a request", "\(found.message)")
    let moved = try changed(flow) { $0.replacing("https://", with: "ftp://") }
    let other = try #require(try Replay.replay(Recording(name: "r", flows: [moved])).first)
    #expect(other.complaint == nil, "\(other.message)")
  }

  @Test("a secret that stood in another form is written in that form again; what stood across two fields is not")
  func forms() throws {
    func records(_ text: String) -> [FlowRecord] {
      let start = FlowEvent.flowStarted(FlowStarted(kind: "idx", sdk: "s", settings: [:]))
      return [start, .noteAdded(NoteAdded(text: text))].enumerated().map { revision, event in
        FlowRecord(revision: revision, at: Timestamp(microseconds: 0), cause: nil, event: event)
      }
    }
    let forms = ["case", "case2", "case3", "pct", "pct2", "esc", "ent", "b64", "b642", "fold", "trim", "norm", "latin"]
    let text = forms.map { "$secret.password.1.\($0)$" }.joined(separator: "|")
    #expect(PlaceholderNames(of: records("costs $5, not $secret.password.1$ or " + text)).haveSurrogates)
    for strange in ["password.1.join", "password.1.case9", "password.1.norm2", "excess.0", "password.1.pct.2"] {
      #expect(!PlaceholderNames(of: records("$secret.\(strange)$")).haveSurrogates, "\(strange)")
    }
    #expect(!PlaceholderNames(of: records("$secret.password")).haveSurrogates)
    let surrogates = Surrogates(for: records(text), PlaceholderNames(of: records(text)))
    let plain = surrogates.reveal("$secret.password.1$")
    let written = surrogates.reveal(text).components(separatedBy: "|")
    #expect(Set(written.map { Array($0.utf8) } + [Array(plain.utf8)]).count == forms.count + 1)
    var vault = Vault()
    _ = vault.placeholder(for: .string(plain), kind: "password")
    for (form, text) in zip(forms, written) {
      #expect(vault.mask(text) == "$secret.password.1.\(form)$", "\(text)")
    }
    #expect(surrogates.reveal("$secret.password.2$") != plain)
  }

  @Test("a request says what its record says, whatever its encoding")
  func requests() {
    let surrogates = Surrogates()
    func difference(_ sent: RequestSent, _ request: HTTPRequest) -> StepDifference? {
      let record = FlowRecord(
        revision: 3, at: Timestamp(microseconds: 0), cause: 2, event: .requestSent(sent))
      return RequestBytes.difference(request, record, surrogates)
    }
    let url = "https://acme.example/a"
    let form = RequestSent(method: "POST", url: url, headers: [], body: ["a b": "ü&=", "n": .null], encoding: .form)
    #expect(difference(form, HTTPRequest(method: "POST", url: url, body: Array("a%20b=%C3%BC%26%3D".utf8))) == nil)
    // The same fields, spelled otherwise.
    #expect(difference(form, HTTPRequest(method: "POST", url: url, body: Array("a+b=%C3%BC%26%3D".utf8))) != nil)
    #expect(difference(form, HTTPRequest(method: "POST", url: url, body: Array("a%20b=%c3%bc%26%3d".utf8))) != nil)
    #expect(difference(form, HTTPRequest(method: "POST", url: url, body: Array("a%20b=%C3%BC&=".utf8))) != nil)
    #expect(difference(form, HTTPRequest(method: "POST", url: url, body: nil)) != nil)
    let query = RequestSent(
      method: "GET", url: url + "?x=1", headers: [], body: ["q": "$secret.code.1$"], encoding: .query)
    let code = surrogates.reveal("$secret.code.1$")
    #expect(difference(query, HTTPRequest(method: "GET", url: "\(url)?x=1&q=\(code)")) == nil)
    #expect(difference(query, HTTPRequest(method: "GET", url: "\(url)?x=1&q=$secret.code.1$")) != nil)
    // The mark of a first query, and a body beside the query.
    #expect(difference(query, HTTPRequest(method: "GET", url: "\(url)?x=1?q=\(code)")) != nil)
    let beside = Array("q=\(code)".utf8)
    #expect(difference(query, HTTPRequest(method: "GET", url: "\(url)?x=1&q=\(code)", body: beside)) != nil)
    let first = RequestSent(method: "GET", url: url + "#top", headers: [], body: ["q": "a+b"], encoding: .query)
    #expect(difference(first, HTTPRequest(method: "GET", url: "\(url)?q=a%2Bb")) == nil)
    #expect(difference(first, HTTPRequest(method: "GET", url: "\(url)?q=a+b")) != nil)
    #expect(difference(first, HTTPRequest(method: "GET", url: "\(url)&q=a%2Bb")) != nil)
    let json = RequestSent(
      method: "POST", url: url, headers: [HTTPField("Cookie", "DT=$secret.cookie.1$")], body: ["a": "$secret.code.1$"])
    let cookie = HTTPField("Cookie", "DT=\(surrogates.reveal("$secret.cookie.1$"))")
    let body = Array("{\"a\":\"\(code)\"}".utf8)
    #expect(difference(json, HTTPRequest(method: "POST", url: url, headers: [cookie], body: body)) == nil)
    #expect(difference(json, HTTPRequest(method: "PUT", url: url, headers: [cookie], body: body)) != nil)
    #expect(difference(json, HTTPRequest(method: "POST", url: url, headers: [], body: body)) != nil)
    #expect(difference(json, HTTPRequest(method: "POST", url: url, headers: [cookie], body: [])) != nil)
  }

  // MARK: Helpers

  private static func pushApproved() async throws -> RecordedFlow {
    try #require(try await Recordings.record(.pushApproved).flows.first)
  }

  /// The flow with the data of each record changed as text.
  private func changed(_ flow: RecordedFlow, _ change: (String) -> String) throws -> RecordedFlow {
    let lines = try flow.records.enumerated().map { number, record in
      let line = JSON.members([
        ("n", .int(number)), ("at", .string(record.at.description)), ("stream", .string(flow.stream)),
        ("rev", .int(record.revision)), ("type", .string(record.event.type)), ("v", .int(record.event.version)),
        ("cause", record.cause.map { JSON.int($0 + number - record.revision) }), ("data", record.event.data),
      ])
      return try StoredRecord(line: Array(change(line.text).utf8))
    }
    return try #require(try Recording(name: "changed", records: lines).flows.first)
  }
}
