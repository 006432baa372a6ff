// The environment of a played application: its configuration, and what is stored.

import EventStore
import FlowRecording
import Foundation

/// The configuration of the application whose flow was recorded.
struct DevicePlayedSettings {
  private let application: (name: String, version: String)
  private let sdk: (name: String, version: String)
  private let profile: DeviceProfile
  private let json: JSON
  private let origins: [URL]

  /// Reads the settings of a flow; `nil` if no configuration produces them.
  init?(_ json: JSON) {
    let origins = (json["origins"]?.array ?? []).map(\.url)
    let agent = (json["userAgent"]?.string ?? "").split(separator: " ").map { part in
      part.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
    guard let name = json["application"]?.string, agent.count == 4, agent.allSatisfy({ $0.count == 2 }),
      origins.allSatisfy({ $0 != nil })
    else { return nil }
    application = (name, agent[0][1])
    sdk = (agent[1][0], agent[1][1])
    profile = DeviceProfile(
      displayName: "", osVersion: agent[2][1], manufacturer: agent[3][0], model: agent[3][1])
    self.json = json
    self.origins = origins.compactMap(\.self)
  }

  /// Creates the context that the objects of such an application share.
  func context(
    _ environment: FlowEnvironment, _ replay: DeviceReplay, apsEnvironment: APSEnvironment = .production
  ) throws -> DeviceContext {
    let config = ApplicationConfig(
      applicationName: application.name, applicationVersion: application.version, applicationGroupId: application.name)
    config.apsEnvironment = apsEnvironment
    config.trustedOrigins = origins
    config.acceptedAudiences = (json["audiences"]?.array ?? []).compactMap(\.string)
    let plugins = (json["plugins"]?.array ?? []).compactMap(\.string).map { SignalFile(name: $0, path: "") }
    return try DeviceAuthenticatorBuilder(applicationConfig: config).environment(environment)
      .deviceSignals(FixedSignals(profile)).signalPlugins(plugins)
      .validation(json["strict"]?.bool == true ? .strict : .compatible)
      .compatibility(json["reference"]?.bool == true ? .reference : .standard)
      .deleteOnSuspended(json["deleteOnSuspended"]?.bool ?? true)
      .keyDiscoveryTimeout(json["keyDiscoveryMilliseconds"]?.int.map { .milliseconds($0) })
      .context(sdk: sdk, replay: replay)
  }
}

/// The stored enrollments according to a recording, both as the objects read them and as they were recorded.
final class DevicePlayedStorage {
  /// The storage that the objects read from.
  let rows = MemoryEnrollmentStorage()
  /// The enrollment as it was last written.
  private var record = JSON.null

  /// Puts in an enrollment that was stored before the flow.
  func put(_ enrollment: JSON) {
    guard let stored = StoredEnrollment(enrollment) else { return }
    try? rows.save(stored)
    record = enrollment
  }

  /// Performs a write that succeeded.
  ///
  /// - Parameter known: the enrollment of the challenge, which the write itself does not contain.
  func write(_ input: JSON, knowing known: JSON) {
    let id = input["enrollment"]?.string ?? ""
    if record == .null { put(known) }
    switch input["write"]?.string {
    case "enrollment": put(input["enrollment"] ?? .null)
    case "change": change(id, input["set"] ?? [:])
    case "close":
      if let code = input["serverErrorCode"], code.string?.isEmpty == false { change(id, ["serverErrorCode": code]) }
    case "delete": _ = try? rows.delete(enrollment: id)
    case nil, .some: break
    }
  }

  private func change(_ id: String, _ set: JSON) {
    guard record["id"]?.string == id, case .object(var members) = record else { return }
    for member in set.object?.members ?? [] { members[member.key] = member.value == .null ? nil : member.value }
    put(.object(members))
  }

  /// Describes the first public member of an enrollment that differs from what is stored; `nil` if there is none.
  func complaint(about enrollment: any AuthenticatorEnrollmentProtocol) -> String? {
    guard record["id"]?.string == enrollment.enrollmentId else { return "another enrollment was handed over" }
    let states: [String: EnrollmentState] = [
      "E0000152": .suspended, "E0000155": .suspended, "E0000180": .suspended, "E0000156": .deleted,
      "E0000008": .deleted, "E0000153": .reset, "E0000154": .reset,
    ]
    let state = states[record["serverErrorCode"]?.string ?? ""] ?? .active
    let members: [(String, Bool)] = [
      ("organization.id", enrollment.organization.id == record["orgID"]?.string),
      ("organization.url", enrollment.organization.url == record["orgURL"]?.string),
      ("user.id", enrollment.user.id == record["userID"]?.string),
      ("user.name", enrollment.user.name == record["userName"]?.string),
      ("userVerificationEnabled", enrollment.userVerificationEnabled == (record["userVerificationTag"]?.string != nil)),
      ("isCIBAEnabled", enrollment.isCIBAEnabled == (record["transactionTypes"]?.array?.contains("CIBA") == true)),
      ("state", enrollment.state == state),
    ]
    return members.first { !$0.1 }.map { "\($0.0) of the enrollment is not what is stored" }
  }
}
