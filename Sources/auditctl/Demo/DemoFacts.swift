// The results of the demo, as one document. Each printed line is derived from them.

import AuditReports
import EventStore
import Replay

/// The facts of one demo.
struct DemoFacts: Sendable {
  /// A sign-in, as the application saw it.
  struct SignIn: Sendable {
    var title: String
    var login: String
    var stream: String
    var heard: [String]
    /// Whether folding the stored stream gave the live state.
    var foldsToLiveState: Bool
  }

  var store: String
  /// The log of the devices.
  var deviceStore: String
  var isTemporary: Bool
  var org: String
  var signIns: [SignIn] = []
  var flows: [FlowFacts] = []
  /// Milliseconds that the sign-ins took together.
  var signInMilliseconds = 0
  /// One of the flows, in full.
  var timeLine: TimeLine?
  var checkpoint: SignedNote?
  var publicKeyFile = ""
  var signingKeyFile = ""
  var verdict: VerifyReport?
  /// The pushes as both sides saw them, each from its own log.
  var pushes: [PushPair] = []
  /// One of them in two columns.
  var bothSides: TwoColumns?
  /// The devices' flows, replayed.
  var deviceReplay = ReplayReport()
  var replay = ReplayReport()
  var replayMilliseconds = 0
  var search: SecretSearch?
  var statistics: StoreStatistics?

  /// How many flows fold to their live state.
  var folded: Int { signIns.count { $0.foldsToLiveState } }

  /// Whether everything came out as it should.
  var isGood: Bool {
    folded == signIns.count && verdict?.verdict == .ok && replay.diverged == 0 && search?.found.isEmpty == true
      && pushes.count == DemoPlay.all.count { $0.hasDevice } && pushes.allSatisfy(\.contradictions.isEmpty)
      && deviceReplay.diverged == 0
  }

  /// The document of `auditctl demo --json`.
  var json: JSON { .members(runJSON + findingsJSON) }

  private var runJSON: [(String, JSON?)] {
    [
      ("good", .bool(isGood)), ("store", .string(store)), ("deviceStore", .string(deviceStore)),
      ("org", .string(org)),
      ("signIns", .array(signIns.map(\.json))), ("flows", .array(flows.map(\.json))),
      ("signInMs", .int(signInMilliseconds)), ("timeLine", timeLine?.json),
    ]
  }

  private var findingsJSON: [(String, JSON?)] {
    [
      ("checkpoint", checkpoint.map { .string($0.text) }), ("publicKeyFile", .string(publicKeyFile)),
      ("signingKeyFile", .string(signingKeyFile)), ("verify", verdict.map { VerdictText($0, store: store).json }),
      ("fold", ["flows": .int(signIns.count), "equal": .int(folded)]), ("replay", replay.json),
      ("replayMs", .int(replayMilliseconds)), ("pushes", .array(pushes.map(\.json))),
      ("deviceReplay", deviceReplay.json), ("canaries", search?.json),
      ("bytesOnDisk", statistics.map { .number(String($0.bytesOnDisk)) }),
      ("bytesRaw", statistics.map { .number(String($0.bytesRaw)) }),
    ]
  }
}

extension DemoFacts.SignIn {
  fileprivate var json: JSON {
    [
      "flow": .string(stream), "title": .string(title), "user": .string(login),
      "heard": .array(heard.map(JSON.string)), "foldsToLiveState": .bool(foldsToLiveState),
    ]
  }
}

extension SecretSearch {
  fileprivate var json: JSON {
    [
      "secrets": .int(secrets), "files": .int(files), "bytes": .int(bytes), "found": .int(found.count),
      "places": .array(found.map(JSON.string)),
    ]
  }
}
