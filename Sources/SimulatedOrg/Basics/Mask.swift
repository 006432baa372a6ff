// Numbers and addresses as a sign-in page shows them.

enum Mask {
  /// `+1 415-555-0199` as `+1 XXX-XXX-0199`: the last four digits and the country code stay.
  static func phone(_ number: String) -> String {
    var digitsLeft = number.count { $0.isNumber }
    var inCountry = number.hasPrefix("+")
    var out = ""
    for character in number {
      guard character.isNumber else {
        if character != "+" { inCountry = false }
        out.append(character)
        continue
      }
      out.append(inCountry && out.count < 3 || digitsLeft <= 4 ? character : "X")
      digitsLeft -= 1
    }
    return out
  }

  /// `ann.lee@acme.example` as `a...e@acme.example`.
  static func address(_ address: String) -> String {
    let parts = address.split(separator: "@", maxSplits: 1)
    guard parts.count == 2, let first = parts[0].first, let last = parts[0].last else { return "..." }
    return "\(first)...\(last)@\(parts[1])"
  }
}
