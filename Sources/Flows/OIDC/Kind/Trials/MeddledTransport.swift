// A transport for trials of what happens while a request is under way.

import FlowRecording

/// Does something once, after a request is made and before its answer arrives.
final class MeddledTransport: Transport {
  private let transport: any Transport
  /// What to do; `nil` once it is done.
  private let meddling = Locked<(@Sendable () -> Void)?>(nil)

  init(_ transport: any Transport) { self.transport = transport }

  /// Sets what to do during the next request.
  func duringNextRequest(_ act: @escaping @Sendable () -> Void) { meddling.withLock { $0 = act } }

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    let act = meddling.withLock { meddling in
      defer { meddling = nil }
      return meddling
    }
    act?()
    return transport.send(request, completion: completion)
  }
}
