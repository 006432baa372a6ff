import EventStore
import FlowKinds
import FlowRecording
import Foundation
import Testing

@testable import Replay

/// The public forms in which recorded calls are made.
@Suite struct PlayedFormsTests {
  /// Forms that no recorded call is made in, by kind: only the recordings of edges, and varied ones, can take them, and no seed
  /// has been looked for that chooses them.
  private static let exceptions: Set<String> = [
    "authn resetPassword: long, with revokeSessions false",
    "authn selectFactor: other, awaited, with rememberDevice true",
    "authn unlock: short, with factorType call",
    "authn unlockAccount: class method, awaited, with factorType sms",
    "authn verifyFactor: push, with autoPush false",
    "authn verifyFactor: status, short, with answer",
    "idx start: context, result, with recovery_token",
    "idx start: options, without closure, with recovery_token",
    "oidc clear: throwing",
    "oidc clear: throwing, with clientId",
    "oidc clear: throwing, with issuer",
    "oidc clear: throwing, with tokenId",
    "oidc renew: awaited, with clockSkew",
  ]

  @Test(
    "each form is chosen for some recorded call, with each argument, but for named exceptions")
  func everyForm() throws {
    var (offered, chosen): (Set<String>, Set<String>) = ([], [])
    for name in GoldenRecordings.names {
      for flow in try GoldenRecordings.read(name).flows {
        let kind = try #require(KindRegistry.standard.kind(of: flow.records))
        guard kind.canRunWhole(flow), let forms = Self.forms(kind, flow) else { continue }
        offered.formUnion(forms.offered.map { "\(kind.name) \($0)" })
        chosen.formUnion(forms.chosen.map { "\(kind.name) \($0)" })
      }
    }
    #expect(offered.count > 187)
    #expect(chosen.isSubset(of: offered))
    // Recordings/forms.json says which scenarios are played again, so that more forms are chosen.
    #expect(offered.subtracting(chosen).sorted() == Self.exceptions.sorted())
  }

  static func forms<Kind: FlowKind>(_ kind: Kind.Type, _ flow: RecordedFlow) -> PlayedForms? {
    let replayer = Kind.whole(flow, of: "r")
    _ = replayer.run(limit: 1)
    return replayer.forms
  }

  @Test("the same call of the same flow is made in the same form, and one that a task gave up by a task")
  func stable() {
    let made = Locked<[String]>([])
    func play(_ forms: PlayedForms, _ revision: Int) {
      let candidates = ["a", "b", "c"].map { name in PlayedForm(name) { made.withLock { $0.append(name) } } }
      let awaited = PlayedForm("d", .awaited) { made.withLock { $0.append("d") } }
      #expect(forms.play("call", at: revision, candidates + [awaited]) == .played)
    }
    let forms = PlayedForms("authn/1")
    for revision in 0..<40 { play(forms, revision) }
    let first = made.withLock { $0 }
    #expect(Set(first).count == 4)
    let again = PlayedForms("authn/1")
    for revision in 0..<40 { play(again, revision) }
    #expect(made.withLock { $0 } == first + first)
    made.withLock { $0 = [] }
    for revision in 0..<40 { play(PlayedForms("authn/1", givenUp: Set(0..<40)), revision) }
    #expect(Set(made.withLock { $0 }) == ["d"])
    #expect(PlayedForms("authn/1").play("call", at: 0, []) == .noForm)
  }

  @Test("what is handed over twice, or before the call has returned, is complained of")
  func results() {
    let got = PlayedResults<Int>()
    _ = PlayedForms("s").play("call", at: 1, [PlayedForm("closure") { got.keep(1, of: 1) }])
    #expect(got.complaint(about: 1) == "the application was called back before its call had returned")
    _ = PlayedForms("s").play("call", at: 2, [PlayedForm("value", .returning) { got.keep(1, of: 2) }])
    #expect(got.complaint(about: 2) == nil)
    got.keep(2, of: 2)
    #expect(got.complaint(about: 2) == "it was handed over more than once")
  }
}
