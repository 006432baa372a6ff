import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Reads a request from standard input: `{"root": …, "files": [names], "first": N, "without": [ids]}`. Prints
/// `{"mutants": [{id, number, file, line, rule, original}], "texts": {name: text}}`.
@main
struct Main {
  struct Request: Decodable {
    var root: String
    var files: [String]
    var without: [String]
  }

  struct Entry: Encodable {
    var id: String
    var number: Int
    var file: String
    var line: Int
    var rule: String
    var original: String
  }

  struct Answer: Encodable {
    var mutants: [Entry] = []
    var texts: [String: String] = [:]
  }

  private static func end(of line: Int, _ lines: [Int], _ count: Int) -> Int {
    line < lines.count ? lines[line] : count
  }

  /// FNV-1a, without the blanks around the text.
  private static func hash(of line: ArraySlice<UInt8>) -> String {
    let text = line.drop { $0 == 0x20 }.filter { $0 != 0x0A }
    let hash = text.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash >> 32, radix: 16)
  }

  static func main() throws {
    let request = try JSONDecoder().decode(Request.self, from: FileHandle.standardInput.readDataToEndOfFile())
    let without = Set(request.without)
    var answer = Answer()
    var number = 0
    for name in request.files {
      let data = try Data(contentsOf: URL(fileURLWithPath: request.root).appendingPathComponent(name))
      let source = [UInt8](data)
      let tree = Parser.parse(source: String(decoding: source, as: UTF8.self))
      let folded = OperatorTable.standardOperators.foldAll(tree) { _ in }
      let placer = MutantPlacer()
      placer.walk(folded)
      guard !placer.wraps.isEmpty else { continue }
      var lines = [0]
      for (offset, byte) in source.enumerated() where byte == 10 { lines.append(offset + 1) }
      var insertions: [Int: (suffixes: [(Int, String)], prefixes: [(Int, String)])] = [:]
      var commas: [Int: Int] = [:]
      var count: [String: Int] = [:]
      var order = 0
      for wrap in placer.wraps {
        let line = lines.count { $0 <= wrap.start }
        let original = String(decoding: source[wrap.start..<wrap.end], as: UTF8.self)
        // By the text of the line and not its number, so that a bug keeps its name if lines come before it.
        let base =
          "\(name):\(Self.hash(of: source[lines[line - 1]..<Self.end(of: line, lines, source.count)])):\(wrap.rule)"
        let place = count[base, default: 0] + 1
        count[base] = place
        let id = "\(base):\(place)"
        order += 1
        // A bug that is left out keeps its number, so that no other text changes.
        number += 1
        guard !without.contains(id) else { continue }
        answer.mutants.append(
          Entry(id: id, number: number, file: name, line: line, rule: wrap.rule, original: String(original.prefix(120)))
        )
        // Outer wraps come first: they are visited first.
        insertions[wrap.start, default: ([], [])].prefixes.append(
          (order, wrap.prefix.replacing("#", with: "\(number)")))
        insertions[wrap.end, default: ([], [])].suffixes.append((order, wrap.suffix.replacing("#", with: "\(number)")))
        if let comma = wrap.comma { commas[comma.lowerBound] = comma.upperBound }
      }
      var text: [UInt8] = []
      var offset = 0
      while offset <= source.count {
        if let here = insertions[offset] {
          // Inner wraps end first.
          for (_, suffix) in here.suffixes.sorted(by: { $0.0 > $1.0 }) { text += Array(suffix.utf8) }
          for (_, prefix) in here.prefixes.sorted(by: { $0.0 < $1.0 }) { text += Array(prefix.utf8) }
        }
        if let end = commas[offset] {
          text.append(UInt8(ascii: ","))
          offset = end
          continue
        }
        if offset < source.count { text.append(source[offset]) }
        offset += 1
      }
      answer.texts[name] = String(decoding: text, as: UTF8.self)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    FileHandle.standardOutput.write(try encoder.encode(answer))
  }
}
