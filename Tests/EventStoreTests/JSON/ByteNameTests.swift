import Testing

@testable import EventStore

/// Texts that Unicode takes as equal are others here, and do not hash alike: thousands of them would make each look-up a search.
@Suite struct ByteNameTests {
  @Test func `names that are written otherwise are other names with other hashes`() {
    let texts = (0..<64).map { number in
      (0..<6).map { (number >> $0) & 1 == 0 ? "\u{E9}" : "e\u{301}" }.joined()
    }
    #expect(Set(texts).count == 1)
    #expect(Set(texts.map { ByteName($0) }).count == 64 && Set(texts.map { ByteName($0).hashValue }).count == 64)
    #expect(Set(texts.map(JSON.string)).count == 64 && Set(texts.map { JSON.string($0).hashValue }).count == 64)
    #expect(Set(texts.map(JSON.number)).count == 64 && Set(texts.map { JSON.number($0).hashValue }).count == 64)
  }

  @Test func `equal values hash alike, whatever they are`() throws {
    let text = #"{"a":[1,true,null,"x",{}],"b":{"c":-2.5e3}}"#
    let (one, other) = (try JSON(parsing: Array(text.utf8)), try JSON(parsing: Array(text.utf8)))
    #expect(one == other && one.hashValue == other.hashValue)
    #expect(JSON.number("1") != JSON.string("1") && JSON.bool(true) != JSON.null)
  }
}
