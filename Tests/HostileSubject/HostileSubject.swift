// Signs in at an org that may be hostile, as an application would, for tests that watch from outside what it takes and
// leaves behind.
//
//   hostile-subject authn|idx URL STORE [times=N] [timeout=MS] [requests=N] [h2=1] [ca=FILE]
//
// The password is the first line of standard input. What the application receives is printed, errors as they describe
// themselves. At its end it copies /proc/self/status, which has its highest memory, into the file FLOWRECORDER_PEAK.
// It ends itself by SIGALRM after 60 seconds: then it hung.
import Authn
import EventStore
import FlowRecording
import Foundation
import IDX
import OIDC

@main
struct HostileSubject {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 3, let url = URL(string: words[1]), let password = readLine() else { exit(64) }
    alarm(60)
    let settings = Dictionary(
      words.dropFirst(3).compactMap { word -> (String, String)? in
        guard let equals = word.firstIndex(of: "=") else { return nil }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
      }, uniquingKeysWith: { $1 })
    let recorder = LogRecorder(directory: words[2])
    var environment = FlowEnvironment(recorder: recorder, transport: CurlTransport(configuration(settings)))
    environment.limits = FlowLimits(requests: settings["requests"].flatMap { Int($0) } ?? 40)
    for _ in 0..<(settings["times"].flatMap { Int($0) } ?? 1) {
      do {
        if words[0] == "idx" {
          try await IdentityEngineSignIn(password: password).run(url, environment)
        } else {
          try await ClassicSignIn(password: password).run(url, environment)
        }
      } catch {
        print("error", error)
        print("error", error.localizedDescription)
      }
    }
    await Self.flowsAreOver(words[2])
    do { try recorder.close() } catch { print("the log:", error) }
    writeMemory()
  }

  /// Copies what the kernel says of this process, its highest memory (`VmHWM`) included.
  private static func writeMemory() {
    guard let path = ProcessInfo.processInfo.environment["FLOWRECORDER_PEAK"] else { return }
    do {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      try status.write(toFile: path, atomically: false, encoding: .utf8)
    } catch {
      print("its memory:", error)
    }
  }

  /// Waits until each flow has its end in the log, at most 50 seconds: another thread may write the end of one that is
  /// let go of.
  private static func flowsAreOver(_ store: String) async {
    guard let reader = try? LogReader(directory: store), var cursor = try? reader.cursor() else { return }
    var open: Set<String> = []
    while let record = try? cursor.next() {
      if record.type == "flow.started" { open.insert(record.stream) }
      if record.type == "flow.ended" { open.remove(record.stream) }
    }
    if open.isEmpty { return }
    let ends = Task { [open] in
      var left = open
      for try await record in reader.follow() where record.type == "flow.ended" {
        left.remove(record.stream)
        if left.isEmpty { return }
      }
    }
    let limit = Task {
      try await Task.sleep(for: .seconds(50))
      ends.cancel()
    }
    try? await ends.value
    limit.cancel()
  }

  private static func configuration(_ settings: [String: String]) -> CurlTransport.Configuration {
    var configuration = CurlTransport.Configuration()
    configuration.timeout = .milliseconds(settings["timeout"].flatMap { Int($0) } ?? 20_000)
    configuration.connectTimeout = configuration.timeout
    if settings["h2"] != nil { configuration.httpVersion = .priorKnowledge2 }
    if let file = settings["ca"] { configuration.certificateAuthorities = .file(file) }
    return configuration
  }
}

/// A sign-in by the classic API, as far as an application without a person gets.
struct ClassicSignIn {
  let password: String

  func run(_ url: URL, _ environment: FlowEnvironment) async throws {
    let start = OktaAuthStatusUnauthenticated(
      oktaDomain: url, responseHandler: OktaAuthStatusResponseHandler(pollInterval: 1), environment: environment)
    var status = try await start.authenticate(username: "ann@hostile.example", password: password)
    for _ in 0..<10 {
      print("status", status.statusType)
      if let required = status as? OktaAuthStatusFactorRequired, let factor = required.availableFactors.first {
        status = try await required.selectFactor(factor)
      } else if let challenge = status as? OktaAuthStatusFactorChallenge {
        let isPush = challenge.factor is OktaFactorPush
        status = try await challenge.verifyFactor(
          passCode: isPush ? nil : password, answerToSecurityQuestion: nil)
      } else if let expired = status as? OktaAuthStatusPasswordExpired {
        status = try await expired.changePassword(oldPassword: password, newPassword: password + "-new")
      } else {
        return
      }
    }
  }
}

/// A sign-in by the Identity Engine, as far as an application without a person gets.
struct IdentityEngineSignIn {
  let password: String

  func run(_ url: URL, _ environment: FlowEnvironment) async throws {
    let flow = InteractionCodeFlow(
      issuer: url.appendingPathComponent("oauth2/default"), clientId: "0oa1hostile", scopes: "openid",
      redirectUri: URL(string: "com.example.app:/callback") ?? url, clientSecret: password + "-client",
      environment: environment)
    var response = try await flow.start()
    for _ in 0..<10 {
      print("response with", response.remediations.count, "forms")
      if response.isLoginSuccessful {
        let token: Token = try await response.exchangeCode()
        return print("token", token.tokenType)
      }
      guard let remediation = response.remediations.first(where: { $0.href != nil }) else { return }
      if let pollable = remediation.pollable {
        response = try await pollable.startPolling()
      } else {
        fill(remediation.form)
        response = try await remediation.proceed()
      }
    }
  }

  private func fill(_ form: Remediation.Form) {
    for field in form {
      if let nested = field.form {
        fill(nested)
      } else if field.name == "identifier" {
        field.value = "ann@hostile.example"
      } else if field.isSecret {
        field.value = password
      }
    }
  }
}
