// The main job, from the first request to the verdict (issue 2).

import AuditReports
import Authn
import EventStore
import FlowRecording
import Foundation
import Glibc
import Replay
import SimulatedOrg

/// Plays sign-ins, records them, and checks the record.
struct Demo {
  /// The directory of the log; nil to create one.
  let directory: String?
  /// The key that signs; nil for the usual place, or beside a log that the demo made.
  let signingKey: String?
  /// Where the key remembers what it signs; nil for the place beside it.
  let signerState: String?

  /// Runs the demo.
  ///
  /// - Parameters:
  ///   - begun: receives the store and the org before anything happens.
  ///   - finished: receives each sign-in when it is over.
  func run(
    begun: (DemoFacts) throws -> Void, finished: (DemoFacts.SignIn) throws -> Void
  ) async throws -> DemoFacts {
    let place = try directory ?? Demo.temporaryDirectory()
    let store = directory ?? place + "/audit"
    let recorder = LogRecorder(directory: store)
    let log = try Creation.of(recorder.directory) { () throws(StoreError) in try recorder.open() }
    let deviceStore = directory.map { $0 + "-device" } ?? place + "/device"
    let deviceRecorder = LogRecorder(directory: deviceStore)
    _ = try Creation.of(deviceRecorder.directory) { () throws(StoreError) in try deviceRecorder.open() }
    let passwords = DemoPlay.all.map { _ in Demo.password() }
    let users = zip(DemoPlay.all, passwords).map { $0.user(password: $1) }
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: users, seed: .random(in: 1 ... .max), clock: .system, showsLockout: true))
    var facts = DemoFacts(
      store: store, deviceStore: deviceStore, isTemporary: directory == nil, org: org.url.absoluteString)
    try begun(facts)

    let reader = try LogReader(directory: store)
    let devices = try await Self.devices(at: org, deviceRecorder)
    let secrets = try await perform(&facts, on: org, passwords, devices, recorder, reader, finished)
    let streams = facts.signIns.map(\.stream)
    try await FlowEnding.wait(for: streams, in: log, milliseconds: 2_000)
    await org.stop()

    let beside = directory == nil ? place + "/audit.key" : nil
    let key = try StoreKey(at: signingKey ?? beside, for: log.identity, store: store, state: signerState)
    facts.signingKeyFile = key.file
    facts.publicKeyFile = key.publicFile
    guard key.publish() else {
      throw CommandFailure(
        .cannotCreate, "\(key.publicFile) cannot be written; give --signing-key FILE in another place")
    }
    facts.checkpoint = try recorder.close(signing: key.key)
    try deviceRecorder.close()
    try conclude(&facts, streams, key.key.verifier, secrets, reader)
    return facts
  }

  /// A device for each person who has one, by login.
  private static func devices(at org: SimulatedOrg, _ recorder: LogRecorder) async throws -> [String: DemoDevice] {
    var devices: [String: DemoDevice] = [:]
    for play in DemoPlay.all where play.hasDevice {
      devices[play.login] = try await DemoDevice(of: play.login, at: org, recorder: recorder)
    }
    return devices
  }

  /// Plays all sign-ins at once and compares each with what is stored of it.
  ///
  /// - Returns: the secrets that were at work.
  private func perform(
    _ facts: inout DemoFacts, on org: SimulatedOrg, _ passwords: [String],
    _ devices: [String: DemoDevice], _ recorder: LogRecorder, _ reader: LogReader,
    _ finished: (DemoFacts.SignIn) throws -> Void
  ) async throws -> Set<DemoSecret> {
    let start = ContinuousClock.now
    let environment = FlowEnvironment(recorder: recorder)
    var played: [(index: Int, signIn: DemoFacts.SignIn)] = []
    var secrets: Set<DemoSecret> = []
    try await withThrowingTaskGroup(of: (Int, DemoFacts.SignIn, [DemoSecret]).self) { group in
      for (index, play) in DemoPlay.all.enumerated() {
        let password = passwords[index]
        group.addTask {
          let take = await play.run(
            on: org, password: password, environment: environment, device: devices[play.login])
          try recorder.open().flush()
          // The flow is released when this returns, as in an application after a sign-in.
          return (index, try Demo.compare(take, with: reader), take.secrets)
        }
      }
      for try await (index, signIn, used) in group {
        try finished(signIn)
        played.append((index, signIn))
        secrets.formUnion(used)
      }
    }
    facts.signInMilliseconds = Demo.milliseconds(since: start)
    facts.signIns = played.sorted { $0.index < $1.index }.map(\.signIn)
    return secrets.union(Demo.tokens(of: org))
  }

  /// Folds the stored stream and compares it with the state of the live flow.
  private static func compare(_ take: DemoTake, with reader: LogReader) throws -> DemoFacts.SignIn {
    let records = try EventCoding.decode(try reader.records(of: take.stream))
    return DemoFacts.SignIn(
      title: take.title, login: take.login, stream: take.stream, heard: take.heard,
      foldsToLiveState: AuthnCore.folding(records) == take.liveState)
  }

  private func conclude(
    _ facts: inout DemoFacts, _ streams: [String], _ key: VerifierKey, _ secrets: Set<DemoSecret>, _ reader: LogReader
  ) throws {
    let own = Set(streams)
    facts.flows = try LogFacts.reading([reader]).flows.filter { own.contains($0.stream) }
    facts.verdict = try Verifier(directory: facts.store, pinnedKey: key, pinnedCheckpoint: facts.checkpoint).run()
    let recordings = try streams.map { stream throws(ReplayError) in try Recording(flow: stream, of: reader) }
    let start = ContinuousClock.now
    facts.replay = try Replay.report(on: recordings)
    facts.replayMilliseconds = Demo.milliseconds(since: start)
    facts.search = try SecretSearch(for: secrets, in: [facts.store, facts.deviceStore])
    facts.statistics = try reader.statistics()
    let shown = facts.signIns.first { $0.heard.contains("WAITING") && $0.heard.last == "SUCCESS" }
    if let shown { facts.timeLine = try TimeLine(try reader.records(of: shown.stream)) }
    try correlate(&facts, own, reader, try LogReader(directory: facts.deviceStore))
  }

  /// Joins the pushes of the sign-ins with what the devices saw of them.
  private func correlate(
    _ facts: inout DemoFacts, _ own: Set<String>, _ signIns: LogReader, _ devices: LogReader
  ) throws {
    let streams = try FlowLookup.streams(of: [devices]).map(\.stream)
    facts.deviceReplay = try Replay.report(
      on: streams.map { stream throws(ReplayError) in try Recording(flow: stream, of: devices) })
    var seen: [SeenPush] = []
    for (reader, streams) in [(signIns, own.sorted()), (devices, streams)] {
      for stream in streams { seen += try SeenPush.all(of: reader.records(of: stream), in: reader.directory) }
    }
    facts.pushes =
      PushPair.join(seen.filter { $0.push.side == .signIn }, seen.filter { $0.push.side == .device }).pairs
    guard let pair = facts.pushes.first(where: { $0.signIn.push.outcome == .approved }) else { return }
    var lines: [String: TimeLine] = [:]
    lines[pair.signIn.stream] = try TimeLine(signIns.records(of: pair.signIn.stream))
    for device in pair.device { lines[device.stream] = try TimeLine(devices.records(of: device.stream)) }
    facts.bothSides = TwoColumns(pair, lines)
  }

  /// The tokens that the org issued and received, and the signatures of devices.
  private static func tokens(of org: SimulatedOrg) -> [DemoSecret] {
    org.requests.flatMap { request in
      let body = try? JSON(parsing: request.body)
      let signed = body?["challengeResponse"]?.string
      let bearer = request.header("Authorization").flatMap { $0.split(separator: " ").last }.map(String.init)
      let token = body?["stateToken"]?.string
      let cookies = (request.header("Cookie") ?? "").split(separator: ";").compactMap { $0.split(separator: "=").last }
      return [token].compactMap { $0 }.map { DemoSecret(kind: "state token", value: $0) }
        + cookies.map { DemoSecret(kind: "cookie", value: String($0)) }
        + [signed].compactMap { $0 }.map { DemoSecret(kind: "signed answer", value: $0) }
        + [bearer].compactMap { $0 }.map { DemoSecret(kind: "access token", value: $0) }
    }
  }

  private static func password() -> String {
    "Pw-" + String(UInt64.random(in: .min ... .max), radix: 36) + "-A1"
  }

  private static func milliseconds(since start: ContinuousClock.Instant) -> Int {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
  }

  private static func temporaryDirectory() throws -> String {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var name = Array("\(parent)/flowrecorder-demo-XXXXXX".utf8CString)
    let made = name.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.flatMap { mkdtemp($0) } != nil }
    guard made else {
      throw CommandFailure(
        .cannotCreate, "no directory can be made in \(parent): \(String(cString: strerror(errno))); give --store DIR")
    }
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
