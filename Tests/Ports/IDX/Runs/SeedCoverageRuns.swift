import Foundation
import Testing

/// Every member of the seed document is used by a program.
@Suite struct SeedCoverageRuns {
  private static let programs = Checkout.programs("IDX")

  /// The first column of the table in `docs/IDX.md`, which has every member of the seed document.
  static let members: [String] = {
    let text = (try? Checkout.text("docs/IDX.md")) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map {
      String($0.split(separator: "`")[1])
    }
  }()

  @Test("there are at least thirty programs, and a table of members")
  func number() {
    #expect(Self.programs.count >= 30)
    #expect(Self.members.count > 80)
  }

  @Test("a program uses it", arguments: members)
  func use(member: String) {
    let isUsed = Self.programs.contains { Self.uses(member, in: $0) }
    #expect(isUsed, "no program uses \(member)")
  }

  private static func uses(_ member: String, in program: String) -> Bool {
    let head = member.prefix { $0 != "(" }
    let parts = head.split(separator: ".").map(String.init)
    guard parts.count > 1, let name = parts.last else { return program.contains(member) }
    // A nested type is named in full; other members are used on values whose type is inferred.
    guard member.contains("(") else {
      return program.range(of: "\\.\(name)\\b", options: .regularExpression) != nil
    }
    let label = member.dropFirst(head.count + 1).prefix { $0 != ":" && $0 != ")" }
    let called = name == "init" ? parts[parts.count - 2] : name
    guard !label.isEmpty, label != "_" else {
      return program.contains("\(called)(") || program.contains("\(called) {")
    }
    // Completions and options have defaults, or stand behind the parentheses.
    if ["completion", "options"].contains(label) {
      return program.contains("\(called)(") || program.contains("\(called) {")
    }
    return program.range(of: "\\b\(called)\\w*(<[^>]*>)?\\(\\s*\(label):", options: .regularExpression) != nil
  }
}
