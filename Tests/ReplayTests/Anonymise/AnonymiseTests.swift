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

  @Test("a mail address is replaced in lower case too, and where a query has all of it encoded")
  func addresses() {
    let typed = PersonalWords(["Ann@Acme.example": "Xyz@Qrst.uvwxyza"])
    #expect(typed.replaced(in: "sent to ann@acme.example") == "sent to xyz@qrst.uvwxyza")
    let tagged = PersonalWords(["ann+x@acme.example": "xyz+q@rstu.vwxyzab"])
    #expect(tagged.replaced(in: "?login_hint=ann%2Bx%40acme.example&a=b") == "?login_hint=xyz%2Bq%40rstu.vwxyzab&a=b")
    // In a URL that is in a query, where the digits of an encoded sign come before it.
    #expect(
      tagged.replaced(in: "?to=%2F%3Fh%3Dann%252Bx%2540acme.example") == "?to=%2F%3Fh%3Dxyz%252Bq%2540rstu.vwxyzab")
    #expect(tagged.replaced(in: "Dann+x@acme.example") == "Dann+x@acme.example")
    // The digits of an escape may be small letters.
    #expect(tagged.replaced(in: "?login_hint=ann%2bx%40acme.example&a=b") == "?login_hint=xyz%2bq%40rstu.vwxyzab&a=b")
    #expect(
      tagged.replaced(in: "?to=%2f%3fh%3dann%252bx%2540acme.example") == "?to=%2f%3fh%3dxyz%252bq%2540rstu.vwxyzab")
    let accented = PersonalWords(["Zo\u{EB}": "Pz\u{F8}"])
    #expect(accented.replaced(in: "?name=Zo%c3%ab&b=Zo%C3%AB") == "?name=Pz%c3%b8&b=Pz%C3%B8")
  }

  @Test("what stands before the @ of a mail address is replaced where text for people has it alone")
  func namesOfAddresses() {
    let words = PersonalWords(["ann@acme.example": "xyz@qrst.uvwxyza", "al@acme.example": "ou@qrst.uvwxyza"])
    #expect(words.replaced(inText: "Signed in as ann, not Annie") == "Signed in as xyz, not Annie")
    #expect(words.replaced(inText: "for al") == "for al", "two letters may be any word")
    #expect(words.replaced(inTextOrURL: "Hello ann") == "Hello xyz")
    // In the address of a page it could be a part of the org's own path.
    #expect(words.replaced(inTextOrURL: "https://acme.example/ann") == "https://acme.example/ann")
  }

  @Test("an IP address becomes one for documentation, the same however it is written, in its network, and new")
  func ipAddresses() {
    var names = Pseudonyms()
    names.avoid("192.0.2.1")
    #expect(names.replacement(of: "198.51.100.24") == "192.0.2.2")
    #expect(names.replacement(of: "203.0.113.9") == "192.0.2.3")
    #expect(names.replacement(of: "198.51.100.24") == "192.0.2.2")
    #expect(names.replacement(of: "192.0.2.1") == "192.0.2.4", "no address that the recording has")
    #expect(names.replacement(of: "fd00:1::5") == "2001:db8:0:1::1")
    #expect(names.replacement(of: "FD00:1:0:0:0:0:0:5") == "2001:db8:0:1::1")
    #expect(names.replacement(of: "fd00:1::6") == "2001:db8:0:1::2")
    #expect(names.replacement(of: "fe80::1") == "2001:db8:0:2::1")
    for text in ["10.0.0.256", "1.2.3", "12:30", "fd00::1::2"] {
      let made = names.replacement(of: text)
      #expect(!made.hasPrefix("192.0.2.") && !made.hasPrefix("2001:db8:") && made.count == text.count, "\(text)")
    }
  }

  @Test("a context keeps no address, device and correlation; the same one is the same in all flows, and all replays")
  func contexts() throws {
    var recording = try GoldenRecordings.read("corner-contexts")
    let golden = try Anonymiser().anonymise(recording).recording
    #expect(try Replay.replay(golden) == [])
    let text = golden.flows.flatMap(\.records).map(\.event.data.text).joined(separator: "\n")
    for value in ["192.0.2.7", "2001:db8::1", "dev-1", "req-9"] { #expect(!text.contains(value), "\(value)") }
    let context = golden.flows.first?.records.first?.event.data["context"]
    #expect(context?["client"]?["address"] == "192.0.2.1" && context?["client"]?["os"] == "Linux 6.1")
    for index in recording.flows.indices {
      guard case .flowStarted(var started)? = recording.flows[index].records.first?.event else { continue }
      started.context = [
        "client": ["address": "198.51.100.24"], "device": "phone-77", "instance": "gate of phone-77",
      ]
      recording.flows[index].records[0].event = .flowStarted(started)
    }
    let made = try Anonymiser().anonymise(recording).recording
    #expect(try Replay.replay(made) == [])
    let contexts = Set(made.flows.compactMap { $0.records.first?.event.data["context"]?.text })
    #expect(recording.flows.count > 1 && contexts.count == 1, "\(contexts)")
    let same = try #require(made.flows.first?.records.first?.event.data["context"])
    #expect(same["client"]?["address"] == "192.0.2.1")
    let device = try #require(same["device"]?.string)
    #expect(device != "phone-77" && same["instance"]?.string == "gate of \(device)")
  }

  @Test("the name that a person gave a passkey is replaced")
  func authenticatorNames() throws {
    let recording = try GoldenRecordings.read("declared-answers")
    let made = try Anonymiser().anonymise(recording).recording
    func names(_ recording: Recording) -> Set<String> {
      let text = recording.flows.flatMap(\.records).map(\.event.data.text).joined(separator: "\n")
      return Set(text.matches(of: /"authenticatorName":"([^"]+)"/).map { String($0.output.1) })
    }
    #expect(!names(recording).isEmpty && names(made).isDisjoint(with: names(recording)), "\(names(made))")
  }

  @Test("a number stays a number, with an exponent too")
  func numbers() throws {
    let made = PersonalWords([:]).shaped(number: "-1.25e-5")
    #expect(made.hasPrefix("-") && made.hasSuffix("e-5") && made != "-1.25e-5", "\(made)")
    #expect(try JSON(parsing: Array(made.utf8)) == .number(made))
  }

  @Test("a recording that diverges does so after it was anonymised", arguments: PlantedFailure.all.prefix(5))
  func diverging(failure: PlantedFailure) throws {
    let small = try Minimiser(keeping: .diverges).minimise(failure.plant()).recording
    let made = try Anonymiser().anonymise(small).recording
    let (before, after) = (try Replay.replay(small), try Replay.replay(made))
    #expect(after.map { DivergenceCause.Key($0) } == before.map { DivergenceCause.Key($0) })
  }

  @Test("what only the outputs of a diverging flow say of a person is replaced: other logins, and those in lower case")
  func strayOutputs() throws {
    var recording = try GoldenRecordings.read("push-approved")
    for index in recording.flows[0].records.indices {
      let event = recording.flows[0].records[index].event
      var text = event.data.text.replacing("ann@acme.example", with: "CarolStone")
      switch event.type {
      case "request.sent":
        text = text.replacing(
          #""username":"CarolStone""#, with: #""username":"carolstone","login":"dave@corp.example""#)
      case "status.changed": text = text.replacing(#""user":"CarolStone""#, with: #""user":"EveStone""#)
      case "call.returned":
        text = text.replacing(#""outcome":"#, with: #""details":{"text":"no carolstone"},"outcome":"#)
      default: break
      }
      recording.flows[0].records[index].event = try FlowEvent(
        type: event.type, version: event.version, data: JSON(parsing: Array(text.utf8)))
    }
    let written = recording.flows[0].records.map(\.event.data.text).joined()
    #expect(written.contains("carolstone") && written.contains("EveStone") && written.contains("dave@corp"))
    let made = try Anonymiser().anonymise(recording).recording
    let text = made.flows[0].records.map(\.event.data.text).joined().lowercased()
    for word in ["carol", "dave", "eve", "corp"] { #expect(!text.contains(word), "\(word)") }
    #expect(try !Replay.replay(made).isEmpty, "a login in another case stays one")
  }

  @Test("a login of two letters is replaced in the outputs of a diverging flow too, and the divergence stays")
  func shortLogin() throws {
    let recording = try edited(PlantedFailure.all[0].plant(), [("ann@acme.example", "al")])
    let made = try Anonymiser().anonymise(recording).recording
    let text = made.flows[0].records.map(\.event.data.text).joined()
    #expect(!text.contains(#""al""#), "\(text)")
    let (before, after) = (try Replay.replay(recording), try Replay.replay(made))
    #expect(before.first?.path == "data.ms")
    #expect(after.map { KeptDivergence($0) } == before.map { KeptDivergence($0) }, "\(after)")
  }

  @Test(
    "the SDK's own words stay in the outputs of a diverging flow, even if a person or a phone is called so",
    arguments: [["Poll", "Push"], ["poll", "push"]])
  func ownWords(names: [String]) throws {
    let recording = try edited(
      PlantedFailure.all[0].plant(),
      [
        (#""lastName":"Example""#, #""lastName":"\#(names[0])""#),
        (#""name":"Ann's phone""#, #""name":"\#(names[1])""#),
      ])
    let written = recording.flows[0].records.map(\.event.data.text).joined()
    #expect(written.contains(#""lastName":"\#(names[0])""#) && written.contains(#""name":"\#(names[1])","platform""#))
    let made = try Anonymiser().anonymise(recording).recording
    let text = made.flows[0].records.map(\.event.data.text).joined()
    #expect(!text.contains(#""lastName":"\#(names[0])""#) && !text.contains(#""name":"\#(names[1])","platform""#))
    for (old, new) in zip(recording.flows[0].records, made.flows[0].records) {
      let (before, after) = (old.event.data["summary"], new.event.data["summary"])
      #expect(after?["links"] == before?["links"] && after?["factors"] == before?["factors"])
    }
    #expect(try Replay.replay(made).map { KeptDivergence($0) } == Replay.replay(recording).map { KeptDivergence($0) })
  }

  /// A recording with other texts in the data of its events.
  private func edited(_ recording: Recording, _ edits: [(String, String)]) throws -> Recording {
    var recording = recording
    for index in recording.flows[0].records.indices {
      let event = recording.flows[0].records[index].event
      let text = edits.reduce(event.data.text) { $0.replacing($1.0, with: $1.1) }
      recording.flows[0].records[index].event = try FlowEvent(
        type: event.type, version: event.version, data: JSON(parsing: Array(text.utf8)))
    }
    return recording
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
