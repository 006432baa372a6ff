// How the transport's tests wait for an outcome: each continuation traps if a completion came twice.

import FlowRecording
import Foundation

extension Transport {
  /// Sends and waits for the outcome; `started` gets the task at once. How long it took is left out unless `isTimed`, so that answers
  /// can be compared.
  func outcome(
    of request: HTTPRequest, isTimed: Bool = false, started: (any TransportTask) -> Void = { _ in }
  ) async -> Result<HTTPResponse, TransportError> {
    let outcome = await withCheckedContinuation { continuation in
      started(send(request) { continuation.resume(returning: $0) })
    }
    return outcome.map { response in
      var response = response
      if !isTimed { response.timing = nil }
      return response
    }
  }

  /// Sends a GET and waits for the outcome.
  func get(_ url: String, isTimed: Bool = false) async -> Result<HTTPResponse, TransportError> {
    await outcome(of: HTTPRequest(method: "GET", url: url), isTimed: isTimed)
  }
}

extension CurlTransport.Configuration {
  /// Keeps idle connections for a day, however long a busy machine takes between two requests.
  static var keeping: Self {
    var configuration = Self()
    configuration.idleLifetime = .seconds(86_400)
    return configuration
  }
}

extension Result<HTTPResponse, TransportError> {
  /// The code of the failure, or nil.
  var code: TransportError.Code? {
    if case .failure(let error) = self { error.code } else { nil }
  }

  /// The status of the response, or nil.
  var status: Int? {
    if case .success(let response) = self { response.status } else { nil }
  }
}

/// A signal from a server's thread to a test and back.
final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func send() { semaphore.signal() }

  /// Blocks; for server threads.
  func wait() { semaphore.wait() }

  /// Waits on a thread that is not the cooperative pool's.
  func received() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        self.semaphore.wait()
        continuation.resume()
      }
    }
  }
}
