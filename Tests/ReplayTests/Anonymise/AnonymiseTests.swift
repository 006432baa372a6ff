import EventStore
import FlowKinds
import FlowRecording
import Testing

@testable import Replay

/// Recordings without persons.
@Suite struct AnonymiseTests {
  @Test(
    "no personal value of a golden recording is left, and it replays as before",
    arguments: Effort.isLong ? GoldenRecordings.names : Effort.part(of: GoldenRecordings.names, 90))
  func replays(name: String) throws {
    let recording = try GoldenRecordings.read(name)
    let made = try Anonymiser().anonymise(recording).recording
    #expect(made.flows.map { $0.records.map(\.event.type) } == recording.flows.map { $0.records.map(\.event.type) })
    #expect(try Replay.replay(made) == [])
    let text = made.flows.flatMap(\.records).map(\.event.data.text).joined(separator: "\n")
    for value in personal(recording) where value.contains("@") || value.contains("555-") {
      #expect(!text.contains(value), "\(value)")
    }
    if name.hasPrefix("push") {
      let again = try Anonymiser().anonymise(recording).recording
      #expect(again.flows == made.flows)
    }
    // Statuses and outcomes are no personal data.
    #expect(
      made.flows.map { FlowStatuses.of($0, kinds: .standard) }
        == recording.flows.map { FlowStatuses.of($0, kinds: .standard) })
  }

  @Test("a value keeps its shape, and is the same wherever it stands")
  func shape() {
    var names = Pseudonyms()
    let mail = names.replacement(of: "Ann.Lee+1@acme.example")
    let other = names.replacement(of: "bob@acme.example")
    #expect(mail.count == "Ann.Lee+1@acme.example".count)
    #expect(mail.split(separator: "@")[1] == other.split(separator: "@")[1])
    #expect(mail.first?.isUppercase == true && !mail.contains("acme") && mail.contains(".") && mail.contains("+"))
    #expect(names.replacement(of: "Ann.Lee+1@acme.example") == mail)
    #expect(names.replacement(of: "ann.lee+1@acme.example") == mail.lowercased())
    let phone = names.replacement(of: "+1 XXX-XXX-0100")
    #expect(phone.count == 15 && phone.hasPrefix("+") && phone.contains("XXX-XXX-"))
    let letters = (0..<26).map { names.replacement(of: String(Character(Unicode.Scalar(UInt8(97 + $0))))) }
    #expect(letters.allSatisfy { $0.count == 1 })
    #expect(names.replacement(of: "") == "" && names.replacement(of: "é中").count == 2)
    let masked = names.replacement(of: "$secret.sub.1$@acme.example")
    #expect(masked == "$secret.sub.1$@" + mail.split(separator: "@")[1], "what stands beside a secret is replaced")
    #expect(PersonalWords.isReplaced("$secret.sub.1$@acme.example") && !PersonalWords.isReplaced("$secret.sub.1$"))
  }

  @Test("a value is replaced as a word of other text, and not inside of one")
  func words() {
    let words = PersonalWords(["ann@acme.example": "xyz@qrst.uvwxyza", "Ann": "Xyz", "+1 415": "+7 777"])
    #expect(words.replaced(in: "Hello Ann, Annie, cAnn") == "Hello Xyz, Annie, cAnn")
    #expect(
      words.replaced(in: "https://x/?login_hint=ann%40acme.example&a=b")
        == "https://x/?login_hint=xyz%40qrst.uvwxyza&a=b")
    #expect(words.replaced(in: "call +1 415") == "call +7 777")
    #expect(words.replaced(in: "") == "")
  }

  @Test("a recording that diverges does so after it was anonymised", arguments: PlantedFailure.all.prefix(5))
  func diverging(failure: PlantedFailure) throws {
    let small = try Minimiser(keeping: .diverges).minimise(failure.plant()).recording
    let made = try Anonymiser().anonymise(small).recording
    let (before, after) = (try Replay.replay(small), try Replay.replay(made))
    #expect(after.map { DivergenceCause.Key($0) } == before.map { DivergenceCause.Key($0) })
  }

  private func personal(_ recording: Recording) -> Set<String> {
    var values: Set<String> = []
    for flow in recording.flows {
      guard let kind = KindRegistry.standard.kind(of: flow.records) else { continue }
      for record in flow.records {
        kind.visit(record.event) { values.insert($0) }
      }
    }
    return values
  }
}

extension FlowKind {
  fileprivate static func visit(_ event: FlowEvent, _ found: (String) -> Void) {
    guard let (schema, json) = policy.document(of: event, draws: Core.draws) else { return }
    _ = schema.mapValues(of: json) { schema, _, value in
      if schema.isPersonal, let text = value.string { found(text) }
      return value
    }
  }
}
