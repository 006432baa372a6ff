// swift-format-ignore-file
// The code of docs/PORTING.md about the classic SDK, as it stands there.

import Authn
import FlowRecording
import Foundation

enum PortingGuide {
  static func startRecording(in directory: String) -> LogRecorder { Recording().startRecording(in: directory) }

  struct Recording {
    func startRecording(in directory: String) -> LogRecorder {
      let recorder = LogRecorder(directory: directory)
      FlowEnvironment.setDefault(FlowEnvironment(recorder: recorder))
      return recorder
    }
  }

  /// A handler as the original documents have it.
  final class Handler {
    private(set) var lines: [String] = []
    var finished: ((String) -> Void)?

    func signIn(_ url: URL, _ username: String, _ password: String) {
      OktaAuthSdk.authenticate(with: url,
                               username: username,
                               password: password,
                               onStatusChange: { authStatus in
                                   self.handleStatus(status: authStatus)
      },
                               onError: { error in
                                   self.handleError(error)
      })
    }

    func handleStatus(status: OktaAuthStatus) { finished?(status.statusType.rawValue) }
    func handleError(_ error: OktaError) { finished?(error.description) }
  }
}

/// A layer of the application that knows of no actor.
func login(
  _ url: URL, _ username: String, _ password: String, then: @escaping (Result<OktaAuthStatus, OktaError>) -> Void
) {
  OktaAuthSdk.authenticate(
    with: url, username: username, password: password,
    onStatusChange: { then(.success($0)) }, onError: { then(.failure($0)) })
}

@MainActor
final class Screen {
  private(set) var text = ""

  func show(_ url: URL, _ username: String, _ password: String, done: @escaping () -> Void) {
    login(url, username, password) { result in
      MainActor.assertIsolated()
      self.text = (try? result.get())?.statusType.rawValue ?? "failed"
      done()
    }
  }
}

class CountedRequired: OktaAuthStatusFactorRequired, @unchecked Sendable {
  private(set) var count = 0

  override func selectFactor(
    _ factor: OktaFactor,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    count += 1
    super.selectFactor(factor, onStatusChange: onStatusChange, onError: onError)
  }
}
