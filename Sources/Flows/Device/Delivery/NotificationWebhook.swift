// Receives notifications that a push provider posts (spec/device.md §19.1).

import Crypto
public import EventStore
import Foundation

/// Handles the requests of a push provider, in any HTTP server that the application uses.
///
/// ```swift
/// let webhook = NotificationWebhook(token: token) { userInfo in
///   (try? authenticator.parsePushNotification(userInfo)) == nil ? .notRecognized : .taken
/// }
/// let status = await webhook.status(method: "POST", contentType: type, authorization: header, body: bytes)
/// ```
public struct NotificationWebhook: Sendable {
  /// The result of delivering a notification.
  public enum Delivery: Sendable, Hashable {
    /// The application accepted it: status 204.
    case taken
    /// It is not for this application: status 422, so that the provider does not send it again.
    case notRecognized
    /// The application cannot accept it now: status 503, so that the provider sends it again.
    case busy
  }

  private let expected: SymmetricKey?
  private let longestBody: Int
  private let deliver: @Sendable ([String: JSON]) async -> Delivery

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - token: the token that `Authorization: Bearer` must carry; `nil` accepts requests from anyone who can reach the
  ///     server.
  ///   - longestBody: the maximum length of a body, in bytes.
  ///   - deliver: receives a notification.
  public init(
    token: String?, longestBody: Int = 65_536, deliver: @escaping @Sendable ([String: JSON]) async -> Delivery
  ) {
    expected = token.map { SymmetricKey(data: Data("Bearer \($0)".utf8)) }
    self.longestBody = longestBody
    self.deliver = deliver
  }

  /// Handles a request and returns the status of the response, which has no body.
  ///
  /// - Returns: 204, 422, or 503 depending on the delivery; 401 without the right token, 405 for a method other than
  ///   POST, 413 for a body that is too long, 415 for a type other than JSON, 400 for a body that is not a JSON object.
  public func status(method: String, contentType: String?, authorization: String?, body: [UInt8]) async -> Int {
    guard method == "POST" else { return 405 }
    // Comparing two symmetric keys takes constant time.
    if let expected, SymmetricKey(data: Data((authorization ?? "").utf8)) != expected { return 401 }
    guard body.count <= longestBody else { return 413 }
    let type = (contentType ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    guard type == "application/json" || type.hasSuffix("+json") else { return 415 }
    guard let userInfo = try? NotificationPayload.read(body, line: 1) else { return 400 }
    return switch await deliver(userInfo) {
    case .taken: 204
    case .notRecognized: 422
    case .busy: 503
    }
  }
}
