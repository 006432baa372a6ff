// Everything that crosses from callers' threads to the transport's thread: orders, followed by a wake-up.

internal import Foundation

/// The queue of orders for a transport's thread. Any thread may post; the transport's thread takes all orders at once.
///
/// `@unchecked Sendable`: every mutable property is used only under `lock`.
final class CurlMailbox: @unchecked Sendable {
  typealias Completion = @Sendable (Result<HTTPResponse, TransportError>) -> Void

  /// A request that waits for the thread.
  struct Order {
    let id: UInt64
    let request: HTTPRequest
    let posted: ContinuousClock.Instant
    let completion: Completion
  }

  /// All orders posted since the last time.
  struct Orders {
    var sends: [Order] = []
    var cancels: Set<UInt64> = []
    /// Whether the transport has been released, so that nothing more will be sent.
    var isClosed = false
  }

  private let configuration: CurlTransport.Configuration
  private let lock = NSLock()
  private var orders = Orders()
  private var nextID: UInt64 = 0
  /// The multi handle of the running thread; `nil` before the first request and after the last.
  private var multi: CurlMulti?
  /// Whether the thread was woken but has not taken its orders yet. One wake-up covers any number of orders.
  private var isWoken = false

  init(_ configuration: CurlTransport.Configuration) { self.configuration = configuration }

  /// Posts a request, and starts the thread if it is not running.
  func send(_ request: HTTPRequest, _ completion: @escaping Completion) -> UInt64 {
    lock.lock()
    defer { lock.unlock() }
    nextID += 1
    guard multi != nil || launch() else {
      let failure = TransportError(.other, "libcurl cannot be set up: no memory, or no file descriptors, are left.")
      Thread.detachNewThread { completion(.failure(failure)) }
      return nextID
    }
    orders.sends.append(Order(id: nextID, request: request, posted: .now, completion: completion))
    wake()
    return nextID
  }

  /// Posts the cancellation of a request. This has no effect on a request that has ended.
  func cancel(_ id: UInt64) {
    lock.lock()
    defer { lock.unlock() }
    guard multi != nil else { return }
    orders.cancels.insert(id)
    wake()
  }

  /// Posts that there will be no more requests. The thread ends after the last request in progress.
  func close() {
    lock.lock()
    defer { lock.unlock() }
    orders.isClosed = true
    wake()
  }

  /// Takes all orders; for the transport's thread.
  func take() -> Orders {
    lock.lock()
    defer { lock.unlock() }
    isWoken = false
    defer { orders = Orders(isClosed: orders.isClosed) }
    return orders
  }

  /// Notes that the thread has ended, after which its multi handle is not woken anymore.
  func retire() {
    lock.lock()
    defer { lock.unlock() }
    multi = nil
  }

  private func launch() -> Bool {
    guard let multi = CurlMulti(configuration) else { return false }
    self.multi = multi
    Thread.detachNewThread { [self, configuration] in
      Thread.current.name = "flows.curl"
      CurlLoop(configuration, self, multi).run()
      retire()
    }
    return true
  }

  private func wake() {
    guard let multi, !isWoken else { return }
    isWoken = true
    multi.wakeUp()
  }
}
