import EventStore
import Testing

/// Values in which some texts are replaced.
@Suite struct JSONReplacingTests {
  private static let value: JSON = [
    "a": ["x", nil, true, 7, ["deep": ["y", "x"]]], "x": "a", "empty": [], "none": nil, "object": ["k": "v"],
  ]

  private func replaced(_ value: JSON) -> JSON {
    value.replacing { text in
      guard text == "x" else { return Optional.none }
      return 12
    } names: { name in
      name == "x" ? "z" : nil
    }
  }

  @Test("texts and names are replaced wherever they stand, and nothing else is")
  func replacing() {
    #expect(
      replaced(Self.value) == [
        "a": [12, nil, true, 7, ["deep": ["y", 12]]], "z": "a", "empty": [], "none": nil, "object": ["k": "v"],
      ])
    for value: JSON in ["y", nil, true, 7, [], [:], ["y"], ["y": nil]] { #expect(replaced(value) == value) }
    #expect(replaced("x") == 12)
  }

  @Test("what holds none of them keeps its memory")
  func shared() {
    func place(_ json: JSON?) -> UInt? {
      json?.object?.members.withUnsafeBytes { $0.baseAddress.map { UInt(bitPattern: $0) } }
    }
    let new = replaced(Self.value)
    #expect(place(new) != place(Self.value))
    #expect(place(new["object"]) != nil && place(new["object"]) == place(Self.value["object"]))
    #expect(place(new["a"]?.array?[4]) != place(Self.value["a"]?.array?[4]))
  }

  @Test("a byte is found at any place of a text, short or long")
  func holds() {
    for text in ["", "a", "$", "a$", "$a", String(repeating: "é", count: 40), String(repeating: "é", count: 40) + "$"] {
      #expect(text.holds(UInt8(ascii: "$")) == text.contains("$"))
    }
  }
}
