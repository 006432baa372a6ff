import EventStore
import FlowRecording
import Replay
import Testing

/// An org that answers as recorded.
@Suite struct RecordedOrgTests {
  @Test("answers come by method, path and order, the last again, and links lead back")
  func order() throws {
    var org = RecordedOrg(try GoldenRecordings.read("push-approved"), at: "http://127.0.0.1:1234")
    let unknown = [org.answer("GET", "/api/v1/authn"), org.answer("POST", "/nothing")]
    #expect(unknown == [nil, nil])
    let signIn = org.answer("POST", "/api/v1/authn?x=1")
    let first = try #require(signIn)
    let body = try JSON(parsing: first.body)
    #expect(first.status == 200 && body["status"] == "MFA_REQUIRED")
    #expect(body["stateToken"]?.string?.hasPrefix("$secret") == false)
    #expect(!body.text.contains("https://acme.example") && body.text.contains("http://127.0.0.1:1234/api/v1/authn/"))
    let factor = try #require(body["_embedded"]?["factors"]?.array?.first { $0["factorType"] == "push" })
    let link = try #require(factor["_links"]?["verify"]?["href"]?.string).dropFirst("http://127.0.0.1:1234".count)
    var statuses: [String] = []
    for _ in 0..<8 {
      let answer = org.answer("POST", String(link))
      statuses.append(try JSON(parsing: answer?.body ?? [])["status"]?.string ?? "")
    }
    #expect(statuses.first == "MFA_CHALLENGE" && statuses.last == "SUCCESS", "\(statuses)")
    #expect(
      statuses.firstIndex(of: "SUCCESS").map { index in statuses[index...].allSatisfy { $0 == "SUCCESS" } } == true)
  }

  @Test("every golden recording can be played", arguments: GoldenRecordings.names)
  func all(name: String) throws {
    let recording = try GoldenRecordings.read(name)
    var org = RecordedOrg(recording, at: "http://127.0.0.1:1")
    for record in recording.flows.flatMap(\.records) {
      guard case .requestSent(let request) = record.event, let parts = URLParts(request.url) else { continue }
      let isAnswered = recording.flows.flatMap(\.records).contains {
        $0.cause == record.revision && ["response.received", "request.failed"].contains($0.event.type)
      }
      let answer = org.answer(request.method, parts.path)
      #expect(!isAnswered || answer != nil, "\(request.method) \(parts.path)")
    }
  }
}
