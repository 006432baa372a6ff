// Notifications as applications have them (spec/device.md §7.1, §16.3).

import EventStore
public import Foundation

/// A notification as it came.
public struct PushNotification: Sendable, CustomStringConvertible, CustomReflectable {
  let payload: JSON
  /// The names of its members that are known.
  let keys: [String]

  /// A notification of its dictionary.
  ///
  /// - Parameter userInfo: members by name; only texts count, also as JSON.
  public init(userInfo: [String: any Sendable]) {
    let names = DeviceVocabulary.payloadKeys
    payload = .members(
      userInfo.filter { names.contains($0.key) }.sorted { $0.key < $1.key }
        .map { ($0.key, (($0.value as? String) ?? ($0.value as? JSON)?.string).map(JSON.string) ?? .null) })
    keys = userInfo.keys.filter(names.contains).sorted()
  }

  /// A notification of the bytes of its JSON object; one that is none is not ours.
  public init(json: Data) {
    let members = (try? JSON(parsing: Array(json)))?.object?.members ?? []
    self.init(
      userInfo: Dictionary(members.map { ($0.key, $0.value.string ?? "") }, uniquingKeysWith: { _, new in new }))
  }

  /// What stands for the version and the challenge: the names without a prefix count first.
  var version: JSON? { payload["payloadVersion"] ?? payload["okta.payloadVersion"] }
  var challenge: JSON? { payload["challenge"] ?? payload["okta.challenge"] }

  /// The names alone: the challenge is a secret.
  public var description: String { "PushNotification(\(keys.joined(separator: ", ")))" }
  /// The names alone.
  public var customMirror: Mirror { Mirror(self, children: ["keys": keys]) }
}

/// What a person did with a notification.
public struct PushNotificationResponse: Sendable {
  /// The notification.
  public var notification: PushNotification
  /// The button: `APPROVE_BUTTON`, `DENY_BUTTON`, `REVIEW_BUTTON` or another.
  public var actionIdentifier: String

  /// Makes a response.
  public init(notification: PushNotification, actionIdentifier: String) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
  }
}
