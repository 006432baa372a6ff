import Foundation
import Testing

/// Every member of the seed document is used by a program.
@Suite struct SeedCoverageRuns {
  private static let programs = Checkout.programs("Authn")

  /// The first column of the table in `docs/AUTHN.md`, which has every member of the seed document.
  static let members: [String] = {
    let text = (try? Checkout.text("docs/AUTHN.md")) ?? ""
    let table = text.components(separatedBy: "## Beyond the seed")[0]
    return table.split(separator: "\n").filter { $0.hasPrefix("| `") }.map {
      String($0.split(separator: "`")[1])
    }
  }()

  @Test("there are at least thirty programs, and a table of members")
  func number() {
    #expect(Self.programs.count >= 30)
    #expect(Self.members.count > 100)
  }

  @Test("a program uses it", arguments: members)
  func use(member: String) {
    let isUsed = Self.programs.contains { Self.uses(member, in: $0) }
    #expect(isUsed, "no program uses \(member)")
  }

  /// Whether a program names the type and uses the member with its first label.
  private static func uses(_ member: String, in program: String) -> Bool {
    let head = member.prefix { $0 != "(" }
    let parts = head.split(separator: ".").map(String.init)
    guard parts.count > 1, let name = parts.last else { return program.contains(member) }
    // A case or a nested type is named by itself: its type is inferred, or written out.
    guard member.contains("(") else { return program.contains("." + name) }
    let type = parts[0]
    guard program.contains(type) else { return false }
    let label = member.dropFirst(head.count + 1).prefix { $0 != ":" && $0 != ")" }
    let called = name == "init" ? type : name
    guard !label.isEmpty, label != "_" else { return program.contains("\(called)(") }
    let pattern = "\\b\(called)\\(\\s*\(label):"
    return program.range(of: pattern, options: .regularExpression) != nil
      // A closure behind the parentheses has no label.
      || (label.hasPrefix("on") && program.contains("\(called)("))
  }
}
