// The same sign-in as people would write it: URLSession and JSONDecoder, nothing recorded.

import Foundation
import FoundationNetworking

struct URLSessionSignIn {
  private struct Transaction: Decodable {
    var status: String?
    var stateToken: String?
    var sessionToken: String?
    var errorCode: String?
    var embedded: Embedded?
    var links: [String: Link]?

    enum CodingKeys: String, CodingKey {
      case status, stateToken, sessionToken, errorCode
      case embedded = "_embedded"
      case links = "_links"
    }

    /// A link, or the first of several.
    struct Link: Decodable {
      var href: URL

      init(from decoder: any Decoder) throws {
        struct One: Decodable { var href: URL }
        if let one = try? One(from: decoder) {
          href = one.href
        } else {
          let all = try [One](from: decoder)
          guard let first = all.first else { throw SignIn.Unexpected() }
          href = first.href
        }
      }
    }

    struct Embedded: Decodable {
      var factors: [Factor]?
    }

    struct Factor: Decodable {
      var factorType: String
      var links: [String: Link]

      enum CodingKeys: String, CodingKey {
        case factorType
        case links = "_links"
      }
    }
  }

  private let session = URLSession(configuration: .ephemeral)
  private let org: URL

  init(org: URL) { self.org = org }

  /// Signs in once.
  func run() async throws {
    let first = try await post(
      org.appendingPathComponent("api/v1/authn"), ["username": SignIn.login, "password": SignIn.password])
    let token = first.stateToken ?? ""
    let challenge = try await post(try verify("sms", first), ["stateToken": token])
    let wrong = try await post(try link("next", challenge), ["passCode": "nonsense", "stateToken": token])
    guard wrong.errorCode != nil else { throw SignIn.Unexpected() }
    let again = try await post(try link("prev", challenge), ["stateToken": token])
    let push = try await post(try verify("push", again), ["stateToken": token])
    let last = try await post(try link("next", push), ["stateToken": token])
    guard last.status == "SUCCESS", last.sessionToken != nil else { throw SignIn.Unexpected() }
  }

  private func verify(_ type: String, _ transaction: Transaction) throws -> URL {
    let factor = transaction.embedded?.factors?.first { $0.factorType == type }
    guard let link = factor?.links["verify"] else { throw SignIn.Unexpected() }
    return link.href
  }

  private func link(_ name: String, _ transaction: Transaction) throws -> URL {
    guard let link = transaction.links?[name] else { throw SignIn.Unexpected() }
    return link.href
  }

  private func post(_ url: URL, _ body: [String: String]) async throws -> Transaction {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    request.httpBody = try JSONEncoder().encode(body)
    let (data, _) = try await session.data(for: request)
    return try JSONDecoder().decode(Transaction.self, from: data)
  }
}
