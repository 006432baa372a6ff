// Notifications, as applications receive them (spec/device.md §7.1, §16.3).

import EventStore
public import Foundation

/// A notification as it was received.
public struct PushNotification: Sendable, CustomStringConvertible, CustomReflectable {
  let payload: JSON
  /// The names of its known members.
  let keys: [String]

  /// Creates a notification from its dictionary.
  ///
  /// - Parameter userInfo: the members by name. Only text counts, including JSON text.
  public init(userInfo: [String: any Sendable]) {
    let names = DeviceVocabulary.payloadKeys
    payload = .members(
      userInfo.filter { names.contains($0.key) }.sorted { $0.key < $1.key }
        .map { ($0.key, (($0.value as? String) ?? ($0.value as? JSON)?.string).map(JSON.string) ?? .null) })
    keys = userInfo.keys.filter(names.contains).sorted()
  }

  /// Creates a notification from the bytes of its JSON object. Other bytes result in a notification that is not
  /// recognized.
  public init(json: Data) {
    let members = (try? JSON(parsing: Array(json)))?.object?.members ?? []
    self.init(userInfo: Dictionary(members.map { ($0.key, $0.value as any Sendable) }) { _, last in last })
  }

  /// The payload version. A name without a prefix takes precedence.
  var version: JSON? { payload["payloadVersion"] ?? payload["okta.payloadVersion"] }
  var challenge: JSON? { payload["challenge"] ?? payload["okta.challenge"] }

  /// The member names only, because the challenge is secret.
  public var description: String { "PushNotification(\(keys.joined(separator: ", ")))" }
  /// The member names only.
  public var customMirror: Mirror { Mirror(self, children: ["keys": keys]) }
}

/// The person's response to a notification.
public struct PushNotificationResponse: Sendable {
  /// The notification.
  public var notification: PushNotification
  /// The identifier of the button: `APPROVE_BUTTON`, `DENY_BUTTON`, `REVIEW_BUTTON`, or another.
  public var actionIdentifier: String

  /// Creates a response.
  public init(notification: PushNotification, actionIdentifier: String) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
  }
}
