// The forms of a device's calls that a replay can choose from: most calls have one with a closure and one that waits.

import EventStore
import FlowRecording

/// Makes one recorded call, and stores its result.
struct DeviceFormTable: Sendable {
  typealias Got = DeviceApplication.Got

  let call: DeviceCall
  let revision: Int
  let forms: PlayedForms
  let tasks: PlayedTasks
  let got: PlayedResults<Got>

  /// Makes the call in one of the given forms.
  func play(_ candidates: [PlayedForm]) -> PlayedCall { forms.play(call.rawValue, at: revision, candidates) }

  /// The form that waits.
  func awaited(
    _ name: String, _ body: @escaping @Sendable () async throws(DeviceAuthenticatorError) -> Got
  ) -> PlayedForm {
    PlayedForm(name, .awaited) { [tasks, revision, got] in
      tasks.run(revision) {
        do throws(DeviceAuthenticatorError) {
          got.keep(try await body(), of: revision)
        } catch {
          got.keep(.error(error), of: revision)
        }
      }
    }
  }

  /// The forms of a call that returns nothing.
  func end(
    _ form: @escaping (@escaping (DeviceAuthenticatorError?) -> Void) -> Void,
    awaited body: @escaping @Sendable () async throws(DeviceAuthenticatorError) -> Void
  ) -> PlayedCall {
    play([
      PlayedForm("closure") { [got, revision] in
        form { error in got.keep(error.map(Got.error) ?? .done, of: revision) }
      },
      awaited("awaited") { () throws(DeviceAuthenticatorError) in
        try await body()
        return .done
      },
    ])
  }

  /// The forms of a call that returns a value.
  func value<Value: Sendable>(
    _ make: @escaping @Sendable (Value) -> Got,
    _ form: @escaping (@escaping (Result<Value, DeviceAuthenticatorError>) -> Void) -> Void,
    awaited body: @escaping @Sendable () async throws(DeviceAuthenticatorError) -> Value
  ) -> PlayedCall {
    play([
      PlayedForm("closure") { [got, revision] in
        form { result in
          switch result {
          case .success(let value): got.keep(make(value), of: revision)
          case .failure(let error): got.keep(.error(error), of: revision)
          }
        }
      },
      awaited("awaited") { () throws(DeviceAuthenticatorError) in make(try await body()) },
    ])
  }
}
