// Masking at its limits: with little left of a message's budget, and in JSON that is nested as deeply as is recorded.

import EventStore

extension RuntimeTables {
  static var limited: [String] { spentBudgets + nested + otherValues }

  /// A document that is masked with each small budget.
  private static var spentBudgets: [String] {
    let masker = Masker(policy: ProbeCore.policy)
    let documents: [JSON] = [
      ["token": "secret-token-1", "more": "a text of secret-token-1", "odd": ["x", 12_345, ["y": "secret-2"]]],
      ["more": "https://a.example/?code=tok12345678", "odd": "a text"], ["more": "text", "token": ["a", "b", "c"]],
    ]
    var lines: [String] = []
    for (number, document) in documents.enumerated() {
      for secrets in [0, 1, 2, 4, 100] {
        for bytes in [0, 3, 12, 24, 48, 96, 192, 1_000] {
          var vault = Vault()
          vault.budget = MaskingBudget(secrets: secrets, bytes: bytes)
          let masked = masker.mask(document, as: ProbeCore.policy.response, into: &vault)
          // What exceeds its budget is not used.
          let shown = vault.budget.isExceeded ? "exceeded" : masked.text
          lines.append(line("budget \(number) \(secrets) \(bytes)", "\(shown) \(vault.count)"))
        }
      }
    }
    return lines
  }

  /// Values at each depth around the last one that is recorded, in each type of place.
  private static var nested: [String] {
    let schemas: [(String, WireSchema)] = [
      ("text", .text), ("secret", .secret("token")), ("own", .own), ("undeclared", .undeclared),
      ("object", .object(["a": .text])), ("map", .map(.text)),
    ]
    let masker = Masker(policy: ProbeCore.policy)
    var lines: [String] = []
    for (name, schema) in schemas {
      for depth in (Masker.maximumDepth - 2)...(Masker.maximumDepth + 2) {
        for isArray in [true, false] {
          var value: JSON = "leaf-secret-1"
          for _ in 0..<depth { value = isArray ? .array([value, "x"]) : .members([("a", value), ("b", "x")]) }
          var vault = Vault()
          let text = masker.mask(value, as: schema, into: &vault).text
          let isWhole = vault.reveal(text) == value.text
          lines.append(
            line("\(name) \(depth) \(isArray)", "\(text.utf8.count) \(vault.count) \(isWhole) \(StableHash.text(text))")
          )
        }
      }
    }
    return lines
  }

  /// Values that are not text: their placeholders, and what these reveal alone and inside text.
  private static var otherValues: [String] {
    let values: [JSON] = [true, false, .null, 0, .number("-1.50e3"), [], [:], "", ["a": [1, .null, false]]]
    return values.map { value in
      var vault = Vault()
      let first = vault.placeholder(for: value, kind: "value")
      let json = vault.reveal(JSON.string(first))
      return line("value \(value.text)", "\(first) \(json.text) \(vault.reveal("a \(first) b")) \(vault.count)")
    }
  }
}
