// Which case each word of an answer becomes, and which values count as numbers and flags. A misspelled word of a model
// would read and write the same text.

import EventStore
import FlowRecording

extension AuthnKind {
  static var spoken: Set<String> {
    let protocols = ["SAML2.0", "SAML1.1", "WS-FED", "OAUTH2.0"]
    let documented =
      AuthnWords.statuses.keys.sorted() + AuthnWords.factors.keys.sorted() + AuthnWords.providers.keys.sorted()
      + AuthnWords.results.keys.sorted() + protocols + ["PASSWORD", "UNLOCK"]
    let words = documented.flatMap { [$0, $0.lowercased(), $0.uppercased()] } + ["", "ODD", "SAML_2.0", "CHALLENGE"]
    return Set(words.map { "\($0)|\(cases(of: $0))" } + declared + values)
  }

  /// The positions of the cases that a word becomes in each place of an answer.
  private static func cases(of word: String) -> [Int] {
    let word = JSON.string(word)
    let factor: JSON = [
      "factorType": word, "provider": word, "_embedded": ["activation": ["factorResult": word]],
    ]
    let model = OktaAPISuccessResponse(
      json: [
        "status": word, "factorResult": word, "recoveryType": word, "factorType": word,
        "_embedded": ["factor": factor, "authentication": ["protocol": word]],
      ])
    let embedded = model.embedded
    return [
      place(model.status), place(model.factorResult), place(model.recoveryType), place(model.factorType),
      place(embedded?.factor?.factorType), place(embedded?.factor?.provider),
      place(embedded?.factor?.embedded?.activation?.factorResult), place(embedded?.authentication?.authProtocol),
    ]
  }

  private static func place<Word: OktaWireWord>(_ word: Word?) -> Int {
    word.flatMap { Word.known.firstIndex(of: $0) } ?? -1
  }

  /// What is sent for each case, in the order of the cases.
  private static var declared: [String] {
    [
      "statuses \(AuthStatus.known.map(\.rawValue))", "types \(FactorType.known.map(\.rawValue))",
      "providers \(FactorProvider.known.map(\.rawValue))",
      "results \(OktaAPISuccessResponse.FactorResult.known.map(\.rawValue))",
      "recoveries \(OktaAPISuccessResponse.RecoveryType.known.map(\.rawValue))",
      "protocols \(EmbeddedResponse.AuthenticationObject.AuthProtocol.known.map(\.rawValue))",
      "channels \(OktaRecoveryFactors.allCases.map { "\($0.rawValue) \($0.toFactorType().rawValue)" })",
    ]
  }

  private static var values: [String] {
    let values: [JSON] = [
      42, 0, .int(-1), "42", "-1", "+1", " 42", "42 ", "4.5", "0x2A", "", .number("42.0"), .number("1e3"),
      .number("4.5"), "9223372036854775808", true, false, "true", "False", "TRUE", "yes", .null, [], [42], [:],
    ]
    return values.map { value in
      let number = value.wireInt.map(String.init) ?? "-"
      let flag = value.wireBool.map { "\($0)" } ?? "-"
      return "value \(value.text)|\(number)|\(flag)"
    }
  }
}
