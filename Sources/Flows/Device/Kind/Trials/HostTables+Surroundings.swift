// How an authenticator is built, and what its enrollments show.

import EventStore
import FlowRecording
import Foundation

extension HostTables {
  /// What enrollments show of their stored values.
  static var enrollments: [String] {
    let storage = MemoryEnrollmentStorage()
    let context = DeviceContext(
      environment: environment, services: services(storage, HostKeys()), settings: [:], apsEnvironment: "production")
    let codes: [String?] = [
      nil, "E0000152", "E0000155", "E0000180", "E0000156", "E0000008", "E0000153", "E0000154", "E0000007", "",
    ]
    let stored = codes.enumerated().map { number, code in
      var enrollment = HostSamples.enrollment
      (enrollment.id, enrollment.serverErrorCode) = ("pfd-\(number)", code)
      enrollment.transactionTypes = number.isMultiple(of: 2) ? ["LOGIN"] : ["CIBA"]
      enrollment.userVerificationTag = number.isMultiple(of: 3) ? nil : "uv"
      enrollment.userName = number == 0 ? nil : "ann"
      return enrollment
    }
    let handles = stored.map { AuthenticatorEnrollment($0, context) }
    let before = handles.map { line("before", show($0)) }
    for enrollment in stored { try? storage.save(enrollment) }
    _ = try? storage.update(enrollment: "pfd-1") { enrollment in
      (enrollment.orgURL, enrollment.serverErrorCode) = ("https://other.example", "E0000153")
      (enrollment.userVerificationTag, enrollment.transactionTypes) = (nil, [])
    }
    let listed = DeviceAuthenticator(context).allEnrollments().map { line("listed", show($0)) }
    let after = handles.prefix(3).map { line("after", show($0)) }
    storage.fail(with: .unreadable(reason: "why"))
    let broken = "\(DeviceAuthenticator(context).allEnrollments().count) \(context.stored("pfd-1") == nil)"
    return before + listed + after + [line("broken", broken), line("unreadable", show(handles[1]))]
  }

  private static func show(_ enrollment: any AuthenticatorEnrollmentProtocol) -> String {
    let owner = "\(enrollment.organization.id) \(enrollment.organization.url) \(enrollment.user.id)"
    let flags = "\(enrollment.userVerificationEnabled) \(enrollment.isCIBAEnabled) \(enrollment.state.rawValue)"
    return "\(enrollment.enrollmentId) \(owner) \(enrollment.user.name ?? "-") \(flags) \(enrollment.description)"
  }

  private static func builder(_ config: ApplicationConfig) -> DeviceAuthenticatorBuilder {
    DeviceAuthenticatorBuilder(applicationConfig: config).environment(environment).keyStore(HostKeys())
      .enrollmentStorage(MemoryEnrollmentStorage())
  }

  private static func show(_ build: () throws -> DeviceContext) -> String {
    do {
      let context = try build()
      let services = context.services
      let said = "\(context.apsEnvironment) \(context.settings.text) \(services.application.text)"
      return "\(said) \(services.facts.text) \(services.plugins.map(\.name))"
    } catch {
      return (error as? DeviceAuthenticatorError)?.description ?? "another error"
    }
  }

  /// The results of an application's configuration.
  static var builders: [String] {
    let profile = DeviceProfile(displayName: "PC", osVersion: "1 2", manufacturer: "M/K", model: nil)
    let least = ApplicationConfig(applicationName: "com.acme", applicationVersion: "1.2", applicationGroupId: "g")
    let whole = ApplicationConfig(
      applicationName: "Acme (beta)", applicationVersion: "", applicationGroupId: "g",
      applicationInstallationId: "installation")
    whole.apsEnvironment = .development
    whole.acceptedAudiences = ["a", "b"]
    whole.trustedOrigins = ["https://alias.example/path", "http://localhost:8080"].compactMap { URL(string: $0) }
    let bad = ApplicationConfig(applicationName: "a", applicationVersion: "1", applicationGroupId: "g")
    bad.trustedOrigins = ["https://alias.example", "http://acme.example"].compactMap { URL(string: $0) }
    let fixed = FixedSignals(profile)
    let plugin = SignalFile(name: "agent", path: "")
    let limits: [Duration] = [.zero, .seconds(-1), .nanoseconds(1_500_001), .milliseconds(20), .seconds(90_000)]
    let limited = limits.map { limit in
      line(
        "keys within \(limit)", show { try builder(least).deviceSignals(fixed).keyDiscoveryTimeout(limit).context() })
    }
    let built = [
      line("least", show { try builder(least).deviceSignals(fixed).context() }),
      line("sdk", show { try builder(least).deviceSignals(FixedSignals()).context(sdk: ("S D K", "")) }),
      line("whole", show { try builder(whole).deviceSignals(fixed).signalPlugins([plugin]).context() }),
      line("bad", show { try builder(bad).deviceSignals(fixed).context() }),
      line(
        "choices",
        show {
          try builder(least).deviceSignals(fixed).validation(.strict).compatibility(.reference)
            .deleteOnSuspended(false).userVerifier(ScriptedVerifier(capability: .face)).keyDiscoveryTimeout(nil)
            .context()
        }),
      line(
        "other choices",
        show {
          try builder(whole).deviceSignals(fixed).validation(.compatible).compatibility(.standard)
            .deleteOnSuspended(true).context()
        }), "\(least.pushSettings == PushSettings()) \(whole.pushSettings.apsEnvironment.rawValue)",
    ]
    return built + limited
  }

  /// Which events must be logged before a flow continues, and what calls are about.
  static var declarations: [String] {
    DeviceEvent.allCases.map { line($0.rawValue, "\($0.needsBarrier)") }
      + DeviceCall.allCases.map { line($0.rawValue, "\($0.isOfChallenge)") }
  }
}
