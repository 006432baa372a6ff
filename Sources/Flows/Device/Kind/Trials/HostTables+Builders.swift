// The seams that an application sets one by one, and the URLs that an authenticator refuses.

import EventStore
import FlowRecording
import Foundation

/// Keeps the types of the records that it receives.
private final class HeardRecords: RecordObserver {
  let types = Locked<[String]>([])

  func observe(_ records: [FlowRecord], of stream: String) {
    types.withLock { $0 += records.map(\.event.type) }
  }
}

extension HostTables {
  private static func bare() -> DeviceAuthenticatorBuilder {
    let config = ApplicationConfig(applicationName: "com.acme", applicationVersion: "1.2", applicationGroupId: "g")
    return DeviceAuthenticatorBuilder(applicationConfig: config).environment(environment).keyStore(HostKeys())
      .enrollmentStorage(MemoryEnrollmentStorage()).deviceSignals(FixedSignals())
  }

  private static func show(_ builder: DeviceAuthenticatorBuilder) -> String {
    guard let context = try? builder.context() else { return "refused" }
    let seams = context.environment
    let recorders = [seams.recorder is TeeRecorder, seams.recorder is MemoryRecorder, seams.recorder == nil]
    let isCanned = seams.transport is CannedTransport
    return "\(seams.clock.now().microseconds) \(seams.entropy.next()) \(isCanned) \(recorders)"
  }

  /// What an authenticator uses after each setting.
  static var seams: [String] {
    let own = MemoryRecorder()
    let drawing = bare().random
    var lines = [
      line("bare", show(bare())), line("clock", show(bare().clock(VirtualTime(start: HostSamples.time(5))))),
      line("random", show(drawing(SeededEntropy(seed: 9)))),
      line("transport", show(bare().transport(CannedTransport([])))), line("recorder", show(bare().recorder(own))),
      line("required", show(bare().recorder(own).auditing(true))),
      line("required by name", show(bare().auditing(.required).recorder(own))),
      line("required no more", show(bare().auditing(true).auditing(false))),
      line("observed", show(bare().addObserver(HeardRecords()))),
      line("observed and recorded", show(bare().recorder(own).addObserver(HeardRecords()))),
      line("created", "\((try? bare().create())?.allEnrollments().count ?? -1)"),
    ]
    let observers = [HeardRecords(), HeardRecords()]
    let builder = bare().recorder(own).addObserver(observers[0]).addObserver(observers[1])
    if let context = try? builder.context() {
      _ = context.begin()
      (context.environment.recorder as? TeeRecorder)?.flush()
    }
    lines.append(line("heard", "\(observers.map { $0.types.withLock { $0 } }) \(own.streams.count)"))
    return lines + unusable
  }

  /// How calls end for an org whose URL cannot be used.
  private static var unusable: [String] {
    let urls = ["http://acme.example", "https://a@b.example", "ftp://acme.example"]
    return urls.compactMap { URL(string: $0) }.map { url in
      let stage = FlowStage([])
      let heard = stage.run {
        let context = DeviceContext(
          environment: stage.environment, services: services(MemoryEnrollmentStorage(), HostKeys()), settings: [:],
          apsEnvironment: "production")
        let authenticator = DeviceAuthenticator(context)
        let config = DeviceAuthenticatorConfig(orgURL: url, oidcClientId: "client")
        authenticator.downloadPolicy(authenticationToken: .bearer("t"), authenticatorConfig: config) { result in
          if case .failure(let error) = result { stage.say("policy: \(error.description)") }
        }
        authenticator.enroll(
          authenticationToken: .bearer("t"), authenticatorConfig: config,
          enrollmentParameters: EnrollmentParameters(deviceToken: .empty)
        ) { result in
          if case .failure(let error) = result { stage.say("enrollment: \(error.description)") }
        }
        stage.say("called")
      }
      return line(url.absoluteString, heard)
    }
  }
}
