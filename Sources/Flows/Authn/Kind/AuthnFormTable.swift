// The forms of the calls of a classic sign-in, as a replay chooses among them.

import EventStore
import FlowRecording

/// Makes one recorded call, and stores its result.
struct AuthnFormTable: Sendable {
  let call: AuthnCall
  let revision: Int
  let forms: PlayedForms
  let tasks: PlayedTasks
  let changed: @Sendable (OktaAuthStatus) -> Void
  let done: @Sendable () -> Void
  let failed: @Sendable (OktaError) -> Void

  /// Makes the call in one of its forms.
  func play(_ candidates: [PlayedForm]) -> PlayedCall { forms.play(call.rawValue, at: revision, candidates) }

  /// A form that waits for a status.
  func awaited(
    _ name: String, _ body: @escaping @Sendable () async throws(OktaError) -> OktaAuthStatus
  ) -> PlayedForm {
    PlayedForm(name, .awaited) { [tasks, revision, changed, failed] in
      tasks.run(revision) {
        do throws(OktaError) {
          changed(try await body())
        } catch {
          failed(error)
        }
      }
    }
  }

  /// A form that waits, and gets nothing.
  func awaitedEnd(_ name: String, _ body: @escaping @Sendable () async throws(OktaError) -> Void) -> PlayedForm {
    PlayedForm(name, .awaited) { [tasks, revision, done, failed] in
      tasks.run(revision) {
        do throws(OktaError) {
          try await body()
          done()
        } catch {
          failed(error)
        }
      }
    }
  }
}
