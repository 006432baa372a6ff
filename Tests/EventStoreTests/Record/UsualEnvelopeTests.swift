// The two readers of an envelope: what the fast one takes, the strict one takes too, and says the same of it.
import Testing

@testable import EventStore

@Suite struct UsualEnvelopeTests {
  private func line(_ random: inout SeededRandom) -> [UInt8] {
    func digits(_ most: UInt64) -> UInt64 { random.next() >> (64 - 1 - random.next() % most) }
    let position = digits(28) + 1
    let time = Timestamp(microseconds: Int64(bitPattern: random.next()) % Timestamp.latest)
    var text = "{\"n\":\(position),\"at\":\"\(time)\",\"stream\":\"\(name(&random))\",\"rev\":\(digits(26))"
    if random.next() % 2 == 0 { text += ",\"id\":\"\(name(&random))\"" }
    text += ",\"type\":\"\(name(&random))\",\"v\":\(digits(8))"
    if random.next() % 2 == 0 { text += ",\"cause\":\(position &- 1 - random.next() % position)" }
    return Array((text + ",\"data\":{\"a\":\"\(String(repeating: "x", count: Int(random.next() % 90)))\"}}").utf8)
  }

  private func name(_ random: inout SeededRandom) -> String {
    let signs = Array("abcdefghijklmnopqrstuvwxyz0123456789/.-_ÄÖ€~!# ")
    return String((0...Int(random.next() % 33)).map { _ in signs[Int(random.next() % UInt64(signs.count))] })
  }

  /// True where the fast reader took the line; then the strict one has to say the same.
  private func isUsual(_ line: [UInt8]) throws -> Bool {
    var found = Envelope()
    guard line.withUnsafeBytes({ found.readUsual($0) }) else { return false }
    #expect(try Envelope(strictly: line.span) == found, "\(String(decoding: line, as: UTF8.self))")
    return true
  }

  @Test func `usual lines are read fast, and as the strict reader does`() throws {
    var random = SeededRandom(77)
    var usual = 0
    for _ in 0..<20_000 {
      let line = line(&random)
      if try isUsual(line) { usual += 1 }
      #expect(try Envelope(parsing: line.span) == Envelope(strictly: line.span))
    }
    #expect(usual > 1_500)
  }

  @Test func `a line with a byte changed, cut out or put in is taken by both or by the strict one alone`() throws {
    var random = SeededRandom(78)
    var (usual, refused) = (0, 0)
    for _ in 0..<60_000 {
      var line = line(&random)
      // The envelope, not the data behind it.
      let place = Int(random.next() % UInt64(min(line.count, 170)))
      switch random.next() % 4 {
      case 0: line[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: line[place] = Array("0123456789\"\\,:{}- ".utf8)[Int(random.next() % 18)]
      case 2: line.remove(at: place)
      default: line.insert(Array("0123456789\"\\,:{}- ".utf8)[Int(random.next() % 18)], at: place)
      }
      if try isUsual(line) { usual += 1 }
      do throws(StoreError) { _ = try Envelope(strictly: line.span) } catch { refused += 1 }
    }
    #expect(usual > 1_000 && refused > 10_000)
  }

  @Test func `a line cut at any place is refused`() throws {
    var random = SeededRandom(79)
    for _ in 0..<50 {
      let line = line(&random)
      for count in 0..<line.count {
        #expect(throws: StoreError.self) { try Envelope(parsing: Array(line[..<count]).span) }
      }
    }
  }

  @Test func `each time in the form of the log is read as the reader of RFC 3339 does, and no other text`() throws {
    var random = SeededRandom(80)
    for _ in 0..<30_000 {
      let span = Timestamp.latest - Timestamp.earliest
      let time = Timestamp(microseconds: Timestamp.earliest + Int64(random.next() % UInt64(span)))
      var text = Array(time.description.utf8)
      #expect(Timestamp(canonical: text.span) == time)
      let place = Int(random.next() % UInt64(text.count))
      text[place] = random.next() % 2 == 0 ? UInt8(truncatingIfNeeded: random.next()) : 0x30 + UInt8(random.next() % 10)
      if let found = Timestamp(canonical: text.span) {
        #expect(found == Timestamp(bytes: text) && found.description == String(decoding: text, as: UTF8.self))
      } else if place != 17 {  // a leap second is one in RFC 3339 alone
        #expect(Timestamp(bytes: text).map { Array($0.description.utf8) } != text)
      }
    }
    for (text, isTime) in [
      ("2024-02-29T00:00:00.000000Z", true), ("2023-02-29T00:00:00.000000Z", false),
      ("1900-02-29T00:00:00.000000Z", false), ("0000-02-29T23:59:59.999999Z", true),
      ("2024-04-31T00:00:00.000000Z", false), ("2024-12-31T24:00:00.000000Z", false),
      ("2024-00-01T00:00:00.000000Z", false), ("2024-01-00T00:00:00.000000Z", false),
    ] { #expect((Timestamp(canonical: Array(text.utf8).span) != nil) == isTime, "\(text)") }
  }
}
