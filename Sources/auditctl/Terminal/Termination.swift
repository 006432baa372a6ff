import Dispatch
import Glibc

/// How a command ends that runs until it is stopped.
enum Termination {
  /// Waits for SIGTERM; SIGINT ends the process by itself, with 130.
  static func wait() async {
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
    await withCheckedContinuation { continuation in
      source.setEventHandler {
        source.cancel()
        continuation.resume()
      }
      source.resume()
    }
  }
}
