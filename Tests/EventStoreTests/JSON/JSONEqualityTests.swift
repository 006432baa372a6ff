import EventStore
import Testing

/// JSON values are equal to the byte: a log must keep apart what `String` takes for the same.
@Suite struct JSONEqualityTests {
  private static let one = "caf\u{E9}"
  private static let two = "cafe\u{301}"
  /// The same length in bytes, equal by canonical equivalence: marks in another order.
  private static let marks = ("a\u{323}\u{307}", "a\u{307}\u{323}")

  @Test("a letter with an accent is not the letter and its accent, as value, element, member or name")
  func canonicalEquivalence() throws {
    #expect(Self.one == Self.two, "what String says")
    let pairs: [(JSON, JSON)] = [
      (.string(Self.one), .string(Self.two)), ([.string(Self.one)], [.string(Self.two)]),
      (["a": .string(Self.one)], ["a": .string(Self.two)]),
      (.members([(Self.one, .int(1))]), .members([(Self.two, .int(1))])),
      (.string(Self.marks.0), .string(Self.marks.1)),
    ]
    for (left, right) in pairs {
      #expect(left != right)
      #expect(Set([left, right]).count == 2)
      #expect(try JSON(parsing: left.bytes) == left)
    }
  }

  @Test("a member is found by the bytes of its name")
  func members() {
    var object = JSONObject([JSONObject.Member(key: Self.one, value: 1)])
    #expect(object[Self.two] == nil)
    object[Self.two] = 2
    #expect(object.members.map(\.value) == [1, 2])
    #expect(object[Self.one] == 1)
  }

  @Test("equal values are equal: empty, long, of another storage")
  func same() {
    let long = String(repeating: "x", count: 5000)
    for text in ["", "a", long, Self.one] {
      #expect(JSON.string(text) == .string(String(Array(text))))
      #expect(JSON.number(text) != .string(text))
    }
  }
}
