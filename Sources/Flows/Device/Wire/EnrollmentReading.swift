// An enrollment in the org's response (spec/device.md §4.3).

package import EventStore

/// The org's description of an enrollment.
package struct EnrollmentReading: Sendable, Equatable {
  /// The enrollment's ID.
  package var id: String
  /// The person's ID.
  package var userID: String
  /// The person's login.
  package var userName: String?
  /// The device's ID.
  package var deviceID: String
  /// The ID of this installation.
  package var clientInstanceID: String
  /// The ID of the push method.
  package var methodID: String?
  /// The URL of the pending challenges.
  package var pendingURL: String?

  /// Reads a response; `nil` if a required member is missing.
  package init?(_ json: JSON) {
    guard let id = json["id"]?.string, json["authenticatorId"]?.string != nil,
      let userID = json["user"]?["id"]?.string, let device = json["device"], let deviceID = device["id"]?.string,
      device["status"]?.string != nil, let clientInstanceID = device["clientInstanceId"]?.string,
      let push = json["methods"]?["push"], push.object != nil
    else { return nil }
    self.id = id
    self.userID = userID
    userName = json["user"]?["username"]?.string
    self.deviceID = deviceID
    self.clientInstanceID = clientInstanceID
    methodID = push["id"]?.string
    pendingURL = push["links"]?["pending"]?["href"]?.string
  }
}
