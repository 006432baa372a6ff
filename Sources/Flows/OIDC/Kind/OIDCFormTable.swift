// The forms of the token calls that a replay can choose from: most calls have one with a closure and one that waits.

import EventStore
import FlowRecording

/// Makes one recorded call, and stores its result.
struct OIDCFormTable: Sendable {
  typealias Got = OIDCApplication.Got

  let call: OIDCCall
  let revision: Int
  let forms: PlayedForms
  let tasks: PlayedTasks
  let keep: @Sendable (Got) -> Void

  /// Makes the call in one of the given forms.
  func play(_ candidates: [PlayedForm]) -> PlayedCall { forms.play(call.rawValue, at: revision, candidates) }

  /// A form that returns or throws immediately.
  func now(_ name: String, _ body: @escaping () throws(OktaError) -> Got) -> PlayedForm {
    PlayedForm(name, .returning) { [keep] in
      do throws(OktaError) {
        keep(try body())
      } catch {
        keep(.error(error, nil))
      }
    }
  }

  /// The form that waits.
  func awaited(
    _ name: String, of asked: OktaAuthStateManager? = nil,
    _ body: @escaping @Sendable () async throws(OktaError) -> Got
  ) -> PlayedForm {
    PlayedForm(name, .awaited) { [tasks, revision, keep] in
      tasks.run(revision) {
        do throws(OktaError) {
          keep(try await body())
        } catch {
          keep(.error(error, asked))
        }
      }
    }
  }

  /// The forms of a call that returns tokens.
  ///
  /// - Parameter asked: the manager on which the call is made, if any.
  func tokens(
    of asked: OktaAuthStateManager? = nil,
    _ form: @escaping (@escaping (OktaAuthStateManager?, OktaError?) -> Void) -> Void,
    awaited body: @escaping @Sendable () async throws(OktaError) -> OktaAuthStateManager
  ) -> PlayedCall {
    play([
      PlayedForm("closure") { [keep] in
        form { manager, error in
          if let manager { keep(.manager(manager)) }
          if let error { keep(.error(error, asked)) }
        }
      },
      awaited("awaited", of: asked) { () throws(OktaError) in .manager(try await body()) },
    ])
  }

  /// The forms of a call that returns values.
  func values(
    _ step: OIDCStep, _ form: @escaping (@escaping ([String: Any]?, OktaError?) -> Void) -> Void,
    awaited body: @escaping @Sendable () async throws(OktaError) -> [String: Any]
  ) -> PlayedCall {
    play([
      PlayedForm("closure") { [keep] in
        form { values, error in
          if let values { keep(.values(values, step)) }
          if let error { keep(.error(error, nil)) }
        }
      },
      awaited("awaited") { () throws(OktaError) in .values(try await body(), step) },
    ])
  }
}
