// A push authenticator in a program of its own, for tests that kill it. What happened it says on standard output, each
// line in one write.
//
//   device-crash-subject enroll DIR URL CLIENT TOKEN       enrolls with verification; says «enrolled ID»
//   device-crash-subject answer DIR CHALLENGE WORD MICROS  takes a challenge up and answers it with WORD; kills itself so
//                                                          many microseconds after the person has answered, unless 0
//
// It ends itself by SIGALRM after 120 seconds: then it hung.
import DeviceAuthenticator
import FlowRecording
import Foundation

@main
struct DeviceCrashSubject {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 5 else { exit(64) }
    alarm(120)
    do {
      let config = ApplicationConfig(
        applicationName: "com.acme.app", applicationVersion: "1", applicationGroupId: "group.com.acme.app")
      var environment = FlowEnvironment(device: nil)
      environment[VerifierSeam.self] = ScriptedVerifier()
      let authenticator = try DeviceAuthenticatorBuilder(applicationConfig: config).environment(environment)
        .directory(words[1]).create()
      switch words[0] {
      case "enroll": try await enroll(authenticator, url: words[2], client: words[3], token: words[4])
      case "answer": try await answer(authenticator, words[2], saying: words[3], dyingAfter: Int(words[4]) ?? 0)
      default: exit(64)
      }
    } catch {
      say("error \(error)")
      exit(1)
    }
  }

  private static func enroll(
    _ authenticator: any DeviceAuthenticatorProtocol, url: String, client: String, token: String
  ) async throws {
    guard let orgURL = URL(string: url) else { exit(64) }
    var parameters = EnrollmentParameters(deviceToken: .tokenString("feedc0de"))
    parameters.enableUserVerification(enable: true)
    let enrollment = try await authenticator.enroll(
      authenticationToken: .bearer(token),
      authenticatorConfig: DeviceAuthenticatorConfig(orgURL: orgURL, oidcClientId: client),
      enrollmentParameters: parameters)
    say("enrolled \(enrollment.enrollmentId)")
  }

  /// Resolves a challenge. If it was answered before, sends again what was signed, if anything was.
  private static func answer(
    _ authenticator: any DeviceAuthenticatorProtocol, _ challenge: String, saying word: String, dyingAfter micros: Int
  ) async throws {
    guard let consent = UserConsentResponse(rawValue: word) else { exit(64) }
    let push = try authenticator.parsePushNotification(["payloadVersion": "IDXv1", "challenge": challenge])
    do throws(DeviceAuthenticatorError) {
      try await push.resolve(onRemediation: { step in
        if let step = step as? RemediationStepUserConsent {
          say("asked")
          if micros > 0 { die(after: micros) }
          step.provide(consent)
        } else {
          step.defaultProcess()
        }
      })
      say("done")
    } catch {
      guard error == .duplicateChallenge(transactionId: "") else { throw error }
      say("duplicate")
      if micros > 0 { die(after: micros) }
      do throws(DeviceAuthenticatorError) {
        try await push.retrySubmission()
        say("sent again")
      } catch {
        say("nothing to send: \(error.errorCode)")
      }
    }
  }

  /// Kills this process from another thread.
  private static func die(after micros: Int) {
    Thread.detachNewThread {
      usleep(UInt32(clamping: micros))
      kill(getpid(), SIGKILL)
    }
  }

  /// Says one line, in one write.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
