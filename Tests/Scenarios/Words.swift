// The words of an org's bodies, for passwords that look like something else.

public import SimulatedOrg

extension OrgJSON {
  /// Takes up the names of members, the texts, their words, and the numbers and booleans as text; no longer than 40 bytes.
  public func collectWords(into words: inout Set<String>) {
    func add(_ word: String) { if !word.isEmpty, word.utf8.count <= 40 { words.insert(word) } }
    switch self {
    case .object(let members):
      for member in members {
        add(member.name)
        member.value.collectWords(into: &words)
      }
    case .array(let elements): for element in elements { element.collectWords(into: &words) }
    case .string(let text):
      add(text)
      for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) { add(String(word)) }
    case .int(let number): add(String(number))
    case .bool(let flag): add(flag ? "true" : "false")
    case .null: break
    }
  }
}
