import DeviceAuthenticator
import Glibc

nonisolated(unsafe) private var handled: sig_atomic_t = 0

/// A question for a PIN that is troubled.
struct PINWork {
  let directory: String

  func ask(terminal: String, isHandled: Bool) async throws {
    if isHandled { signal(SIGUSR1) { _ in handled += 1 } }
    let pin = try PINFile(directory: directory, cost: .weakForTests)
    let outcome = await TerminalPINVerifier(pin, terminal: terminal).verify(VerificationRequest(reason: "test"))
    DeviceStoreSubject.say("handled \(handled)")
    switch outcome {
    case .cancelled: DeviceStoreSubject.say("cancelled")
    case .verified, .failed, .lockedOut, .notSetUp, .timedOut: DeviceStoreSubject.say("\(outcome)")
    }
  }
}
