import EventStore
import FlowRecording
import Foundation
import Testing

@testable import IDX

/// Fields of one name with different fields inside: each is found, and they are sent as one object.
@Suite struct RepeatedFieldTests {
  @Test(
    "each field of a repeated group is found by its name",
    .enabled(if: Corpus.isThere, Comment(rawValue: Corpus.missing)))
  func corpus() async throws {
    let path = "idx/signin-widget__enroll-profile-update-all-optional-params.json"
    let script = IDXScript(try JSON(parsing: try Corpus.body(path)), ION.identify)
    let flow = script.flow(issuer: "http://localhost:3000/oauth2/default")
    let remediation = try #require(try await flow.start().remediations["profile-update"])
    for name in ["newAttribute", "secondEmail", "newAttribute2"] {
      let field = try #require(remediation["userProfile.\(name)"])
      field.value = "a \(name)"
    }
    _ = try await remediation.proceed()
    let expected: JSON = [
      "newAttribute": "a newAttribute", "newAttribute2": "a newAttribute2", "secondEmail": "a secondEmail",
    ]
    #expect(try script.lastBody["userProfile"]?.sorted == expected.sorted)
    try await script.expectWhole(flow)
  }

  /// What is sent of fields.
  private func body(_ fields: JSON...) throws -> JSON {
    let form = JSON.members([("name", "profile-update"), ("value", .array(fields))])
    return try FormSubmission(FormFills()).body(of: try #require(FormReading(form)))
  }

  private func group(_ fields: JSON...) -> JSON { ION.field("a", [("form", ["value": .array(fields)])]) }

  @Test("objects of one name are one object, inside of each other too, and anything else is the last one")
  func merging() throws {
    let one = group(ION.field("b", [("value", 1)]), ION.field("c", [("value", ["d": 1, "e": 1])]))
    let other = group(ION.field("f", [("value", 2)]), ION.field("c", [("value", ["e": 2, "g": 2])]))
    let both: JSON = ["a": ["b": 1, "c": ["d": 1, "e": 2, "g": 2], "f": 2]]
    #expect(try body(one, other) == both)
    #expect(try body(one, other, other) == both)
    #expect(try body(one, ION.field("a", [("value", "text")])) == ["a": "text"])
    #expect(
      try body(one, ION.field("a", [("value", "text")]), group(ION.field("f", [("value", 2)]))) == ["a": ["f": 2]])
    #expect(try body(ION.field("a", [("value", 1)]), ION.field("a", [("value", 2)])) == ["a": 2])
  }

  /// The processor time for the body of a form of so many fields of one name, in seconds.
  private func cost(ofFields count: Int) throws -> Double {
    let fields = (0..<count).map { group(ION.field("field-number-\($0)", [("value", .int($0))])) }
    let form = try #require(FormReading(ION.form("profile-update", nil, fields)))
    let start = ThreadTime.seconds
    let body = try FormSubmission(FormFills()).body(of: form)
    let end = ThreadTime.seconds
    #expect(body["a"]?.object?.members.count == count)
    return end - start
  }

  @Test("eight times the fields of one name cost about eight times the time, not sixty-four times")
  func linear() throws {
    // Eight times, and eight times that again: 64 times if it is linear, 4,096 times if it grows with the square. The bound
    // is in the middle of the two, eight times away from each, which no load of the machine makes up for.
    let few = try (0..<5).map { _ in try cost(ofFields: 1_000) }.min() ?? 0
    let many = try cost(ofFields: 64_000)
    #expect(many < few * 512)
  }
}
