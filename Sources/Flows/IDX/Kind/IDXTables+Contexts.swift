// Contexts of sign-ins that an application makes, stores and reads again.

import EventStore
import FlowRecording
import Foundation

extension IDXKind {
  static var contexts: Set<String> {
    let made: [Context] = FlowStage([]).environment.run {
      [
        Context(), Context(state: "s"), Context(recoveryToken: "r", state: "s", maxAge: 60, acrValues: ["a", "b"]),
        Context(state: "s", maxAge: -1.5, acrValues: []),
        Context(
          interactionHandle: "handle", state: "s", codeVerifier: "v", codeChallenge: "c", nonce: "n", flowID: "idx/01"),
        Context(interactionHandle: "handle", state: "s", codeVerifier: "v", codeChallenge: "c", flowID: nil),
      ]
    }
    return Set(made.enumerated().map { "made \($0)|\(text(of: $1))" } + read)
  }

  private typealias Context = InteractionCodeFlow.Context

  private static func text(of context: Context) -> String {
    let stored = encoded(context)
    let again = try? JSONDecoder().decode(Context.self, from: stored)
    let pkce = context.pkce
    return "\(String(decoding: stored, as: UTF8.self))|\(again == context)|\(pkce.codeVerifier) \(pkce.codeChallenge)|"
      + "\(Printed.text(context))|\(Printed.text(pkce))"
  }

  private static func encoded(_ context: Context) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(context)) ?? Data()
  }

  /// Stored contexts, each without one member.
  private static var read: [String] {
    let whole: [(String, JSON?)] = [
      ("interactionHandle", "handle"), ("state", "s"), ("codeVerifier", "v"), ("codeChallenge", "c"), ("nonce", "n"),
      ("flowID", "idx/01"), ("recoveryToken", "r"), ("maxAge", 60), ("acrValues", ["a"]),
    ]
    return RuntimeTables.withEachLeftOut(of: whole).enumerated().map { number, members in
      let context = try? JSONDecoder().decode(Context.self, from: Data(JSON.members(members).bytes))
      return "read \(number)|\(context.map(text) ?? "none")"
    }
  }
}
