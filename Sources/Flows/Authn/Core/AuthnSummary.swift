// What `status.changed` records of a transaction: what a reader of the log wants to see, and what a replay must agree
// on.

import EventStore

enum AuthnSummary {
  /// Links, factors, user and results, with secrets as placeholders; absent members are omitted.
  static func summary(of transaction: TransactionReading) -> JSON {
    let factors = transaction.factors.map { factor in
      JSON.members([("type", factor["factorType"]), ("provider", factor["provider"]), ("id", factor["id"])])
    }
    let json = transaction.json
    return .members([
      ("user", json["_embedded"]?["user"]?["profile"]?["login"]),
      ("factorResult", json["factorResult"]),
      ("factors", factors.isEmpty ? nil : .array(factors)),
      ("links", .array(transaction.linkNames.map(JSON.string))),
      ("expiresAt", json["expiresAt"]),
      ("stateToken", json["stateToken"]),
      ("sessionToken", json["sessionToken"]),
    ])
  }
}
