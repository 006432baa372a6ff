// A push authenticator that is given its notifications as lines on standard input, by whatever delivers them, and that
// asks its person at the terminal.
//
//   auditctl simulate --token ann@acme.example --notification-port 4711 &      # an org to try it on
//   swift run push-sample http://127.0.0.1:PORT device TOKEN-FILE < notifications
//   auditctl flows --store device

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation

@main
struct PushAuthenticatorSample {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let org = URL(string: arguments[1]), org.host() != nil,
      let token = try? String(contentsOfFile: arguments[3], encoding: .utf8)
    else {
      say("usage: push-sample ORG-URL STORE-DIRECTORY TOKEN-FILE")
      exit(64)
    }
    let recorder = LogRecorder(directory: arguments[2])
    do {
      let authenticator = try DeviceAuthenticatorBuilder(
        applicationConfig: ApplicationConfig(
          applicationName: "push-sample", applicationVersion: "1.0.0", applicationGroupId: "push-sample")
      ).environment(FlowEnvironment(recorder: recorder)).create()
      try await enroll(authenticator, org, token.trimmingCharacters(in: .whitespacesAndNewlines))
      let lines = NotificationLines(descriptor: STDIN_FILENO)
      try await lines.run {
        await answer($0, by: authenticator)
      } onProblem: {
        say("skipped: \($0)")
      }
      try recorder.close()
    } catch {
      say("\(error)")
      try? recorder.close()
      exit(1)
    }
  }

  /// Enrolls once; the enrollment is kept, and found again at the next start.
  private static func enroll(
    _ authenticator: any DeviceAuthenticatorProtocol, _ org: URL, _ token: String
  ) async throws {
    guard authenticator.allEnrollments().isEmpty else { return }
    let enrollment = try await authenticator.enroll(
      authenticationToken: .bearer(token),
      authenticatorConfig: DeviceAuthenticatorConfig(orgURL: org, oidcClientId: "0oa1sampleapp0000001"),
      enrollmentParameters: EnrollmentParameters(deviceToken: .tokenString("push-sample")))
    say("enrolled: \(enrollment)")
  }

  /// Answers one notification. The shown text was sent by the org; it is checked before the person is asked.
  private static func answer(_ members: [String: JSON], by authenticator: any DeviceAuthenticatorProtocol) async {
    do {
      let challenge = try authenticator.parsePushNotification(members)
      try await challenge.resolve { step in
        switch step {
        case let consent as RemediationStepUserConsent: consent.provide(asks(challenge) ? .approved : .denied)
        case let message as RemediationStepMessage: say(message.message)
        default: step.defaultProcess()
        }
      }
      say("\(challenge.transactionId): \(challenge.userResponse.rawValue)")
    } catch DeviceAuthenticatorError.pushNotRecognized {
      say("not for us")
    } catch {
      say("\(error)")
    }
  }

  /// Asks at the terminal; without one, the answer is no.
  private static func asks(_ challenge: any PushChallengeProtocol) -> Bool {
    let about = [challenge.appInstanceName, challenge.clientOS, challenge.clientLocation].compactMap { $0 }
    say("Sign-in to \(about.joined(separator: ", ")). Approve? (yes/no)")
    guard let terminal = FileHandle(forUpdatingAtPath: "/dev/tty") else { return false }
    let line = String(decoding: terminal.availableData, as: UTF8.self)
    return line.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() == "yes"
  }

  private static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
