import EventStore
import Testing

@testable import FlowRecording

/// What one answer may cost, and how deep a record nests.
@Suite struct MaskingBoundsTests {
  /// A response that the given policy masks, and the vault after it.
  private func mask(_ body: [UInt8], as schema: WireSchema = .object([:]), _ flow: inout MaskedFlow) -> RecordedBody {
    flow.mask(body: body, as: schema)
  }

  private static let costlyBodies: [(String, WireSchema, JSON)] = [
    ("zeros", .object([:]), ["odd": .array(Array(repeating: .int(0), count: 60_000))]),
    ("numbers", .object([:]), ["odd": .array((0..<12_000).map { .int(1_000_000 + $0) })]),
    ("values", .array(.number), .array(Array(repeating: .int(0), count: 110_000))),
    ("one text", .object(["label": .text]), ["label": .string(String(repeating: "x", count: 5 << 20))]),
    (
      "texts of secrets", .object(["label": .array(.text), "code": .array(.secret("code"))]),
      [
        "code": .array((0..<26).map { .string(String(Unicode.Scalar(UInt8(97 + $0)))) }),
        "label": .array(
          Array(repeating: .string((0..<4_000).map { _ in "a" }.joined(separator: " ")), count: 200)),
      ]
    ),
    ("a record of more than a MiB", .array(.text), .array(Array(repeating: .string("some text"), count: 95_000))),
  ]

  @Test("a body that costs too much is opaque, and nothing of it is kept", arguments: costlyBodies)
  func costly(name: String, schema: WireSchema, body: JSON) throws {
    var flow = MaskedFlow(knowing: "hunter2")
    let bytes = body.bytes
    #expect(
      mask(bytes, as: schema, &flow)
        == .opaque(reason: "larger than can be recorded", length: bytes.count, placeholder: "$secret.body.1$"),
      "\(name)")
    #expect(flow.vault.count == 1)
    #expect(flow.vault.reveal("$secret.body.1$") == "$secret.body.1$")
    #expect(
      mask(JSON.members([("hunter2", "hunter2")]).bytes, &flow) == .json(["$secret.known.1$": "$secret.known.1$"]),
      "the flow goes on")
  }

  @Test("a URL with thousands of secrets and marks is masked in a time that grows with its length")
  func manyMarks() {
    var flow = MaskedFlow(knowing: "hunter2secret")
    let path = String(repeating: "/hunter2secret", count: 9_000)
    let start = ThreadTime.seconds
    let masked = flow.mask(url: "https://acme.example\(path)?" + String(repeating: "&", count: 400_000))
    #expect(!masked.contains("hunter2") && masked.hasPrefix("https://acme.example/$secret.known.1$/"))
    // By the processor's time of this thread: only a search whose time grows with the square breaks this bound.
    #expect(ThreadTime.seconds - start < 60)
  }

  @Test("a flow knows a bounded number of secrets, however many answers bring them")
  func flowBound() {
    var flow = MaskedFlow()
    var opaque = 0
    for round in 0..<60 {
      let body: JSON = ["odd": .array((0..<1_000).map { .string("value-\(round)-\($0)") })]
      if case .opaque = mask(body.bytes, &flow) { opaque += 1 }
    }
    #expect(opaque > 5 && flow.vault.count <= Masker.maximumOfFlow)
  }

  @Test("a body within the bounds is recorded and revealed")
  func within() {
    var flow = MaskedFlow()
    let body: JSON = ["odd": .array((0..<9_000).map { .int(1_000_000 + $0) })]
    guard case .json(let masked) = mask(body.bytes, &flow) else {
      Issue.record("it is opaque")
      return
    }
    #expect(flow.vault.reveal(masked) == body)
  }

  private static func nested(_ levels: Int, _ inner: JSON = "x-secret-x") -> JSON {
    (0..<levels).reduce(inner) { value, level in level % 2 == 0 ? .array([value]) : ["value": value] }
  }

  @Test(
    "a body of every depth that can be read is recorded so that the record can be read",
    arguments: [199, 200, 201, 255, 256])
  func depth(levels: Int) throws {
    for schema: WireSchema in [.object([:]), .object(["value": .array(Self.deep)]), .array(Self.deep)] {
      var flow = MaskedFlow()
      let body = Self.nested(levels)
      let recorded = mask(body.bytes, as: schema, &flow)
      let data = ResponseReceived(status: 200, headers: [], body: recorded).data
      #expect(try JSON(parsing: data.bytes) == data)
      guard case .json(let masked) = recorded else {
        Issue.record("\(levels) levels are opaque")
        return
      }
      #expect(!masked.text.contains("x-secret-x"))
      #expect(flow.vault.reveal(masked) == body)
    }
  }

  /// A schema that contains itself.
  private static var deep: WireSchema {
    WireSchema.depending { _ in WireSchema.object(["value": .array(Self.deep)]) }
  }
}
