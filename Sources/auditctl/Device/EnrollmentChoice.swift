import ArgumentParser
import AuditReports
import DeviceAuthenticator
import EventStore
import FlowRecording

/// Selects an enrollment of an org.
struct EnrollmentChoice: ParsableArguments {
  @Option(help: ArgumentHelp("The enrollment of this person, by login.", valueName: "U")) var user: String?
  @Option(help: ArgumentHelp("The enrollment of this id.", valueName: "ID")) var enrollment: String?

  /// The selected enrollments of the org.
  func all(
    of authenticator: any DeviceAuthenticatorProtocol, at org: String
  ) -> [any AuthenticatorEnrollmentProtocol] {
    authenticator.allEnrollments().filter { one in
      URLParts(one.organization.url)?.isSameOrigin(as: URLParts(org)) == true
        && (enrollment.map { $0 == one.enrollmentId } ?? true)
        && (user.map { $0.lowercased() == one.user.name?.lowercased() || $0 == one.user.id } ?? true)
    }
  }

  /// The selected enrollment.
  ///
  /// - Throws: exit 66 if there is none, 64 if several fit.
  func one(
    of authenticator: any DeviceAuthenticatorProtocol, at org: String
  ) throws -> any AuthenticatorEnrollmentProtocol {
    let found = all(of: authenticator, at: org)
    guard found.count < 2 else {
      throw CommandFailure(
        .usage,
        "\(found.count) enrollments fit; name one with --enrollment: \(found.map(\.enrollmentId).joined(separator: ", "))"
      )
    }
    guard let one = found.first else {
      throw CommandFailure(.notFound, "there is no such enrollment for \(org); enroll with: auditctl device enroll")
    }
    return one
  }
}

/// An enrollment as commands print it.
enum EnrollmentText {
  static func json(_ enrollment: any AuthenticatorEnrollmentProtocol) -> JSON {
    [
      "enrollmentId": .string(enrollment.enrollmentId), "org": .string(enrollment.organization.url),
      "orgId": .string(enrollment.organization.id), "user": enrollment.user.name.map(JSON.string) ?? .null,
      "userId": .string(enrollment.user.id), "userVerification": .bool(enrollment.userVerificationEnabled),
      "ciba": .bool(enrollment.isCIBAEnabled), "state": .string(enrollment.state.rawValue),
    ]
  }

  static func line(_ enrollment: any AuthenticatorEnrollmentProtocol) -> String {
    let more = [
      enrollment.state.rawValue, enrollment.userVerificationEnabled ? "user verification" : nil,
      enrollment.isCIBAEnabled ? "CIBA" : nil,
    ]
    return
      "\(enrollment.enrollmentId)  \(enrollment.user.name ?? enrollment.user.id)  \(more.compactMap { $0 }.joined(separator: ", "))"
      .printable
  }
}
