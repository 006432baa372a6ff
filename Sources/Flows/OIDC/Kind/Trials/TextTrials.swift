// How texts of a server are shown, and what a client is made of, for the kind's tables.

import EventStore
import FlowRecording
import Foundation

/// Errors with texts of a server, and clients.
enum TextTrials {
  private static let texts = [
    "", "plain", "a\u{1B}[31mb", "line\r\nbreak\ttab", "\u{202E}turned", "\u{200B}\u{FEFF}", "e\u{301}\u{E9}",
    "\u{7F}\u{85}\u{A0}", "\u{1F468}\u{200D}\u{1F469}", String(repeating: "a", count: 299),
    String(repeating: "a", count: 300), String(repeating: "a", count: 301), String(repeating: "e\u{301}", count: 200),
  ]

  /// One line per text and place of it in an error.
  static var shown: Set<String> {
    let errors = texts.enumerated().flatMap { number, text -> [String] in
      let all: [OktaError] = [
        .authorization(error: text, description: nil), .authorization(error: "e", description: text),
        .APIError(OktaFailure("why", oauthCode: text)), .APIError(OktaFailure("why", requestId: text)),
        .APIError(OktaFailure("why", oauthCode: "invalid_grant", oauthDescription: text, requestId: text)),
        .APIError(OktaFailure(text, httpStatus: 400)), .redirectServerError(text),
      ]
      return all.enumerated().map { "\(number) \($0) \($1.description) \($1.errorDescription == $1.description)" }
    }
    return Set(errors + clients)
  }

  private static var clients: [String] {
    let urls = ["https://acme.example", "https://acme.example/oauth2/default"].compactMap { URL(string: $0) }
    return urls.map { url in
      let client = OAuth2Client(issuer: url, clientId: "c", scopes: "openid")
      let named = OAuth2Client(baseURL: url, clientId: "c", scopes: "openid")
      let other = OAuth2Client(issuer: url, clientId: "c", scopes: "email")
      let same = [client == named, client == other, client.configuration == client]
      return "client \(client.issuer) \(named.baseURL) \(client.clientId) \(other.configuration.scopes) \(same)"
    }
  }
}
