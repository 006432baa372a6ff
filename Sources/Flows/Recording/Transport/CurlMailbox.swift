// What crosses from the callers' threads to the transport's own, and nothing else: orders in, a wake-up after.

internal import Foundation

/// The queue of orders to a transport's thread; any thread may post, the thread takes all at once.
///
/// `@unchecked Sendable`: every mutable property is touched under `lock` only.
final class CurlMailbox: @unchecked Sendable {
  typealias Completion = @Sendable (Result<HTTPResponse, TransportError>) -> Void

  /// A request that waits for the thread to take it up.
  struct Order {
    let id: UInt64
    let request: HTTPRequest
    let posted: ContinuousClock.Instant
    let completion: Completion
  }

  /// Everything posted since the last look.
  struct Orders {
    var sends: [Order] = []
    var cancels: Set<UInt64> = []
    /// The transport is gone: nothing further will be sent.
    var isClosed = false
  }

  private let configuration: CurlTransport.Configuration
  private let lock = NSLock()
  private var orders = Orders()
  private var nextID: UInt64 = 0
  /// The multi handle of the running thread; nil before the first request and after the last.
  private var multi: CurlMulti?
  /// Whether the thread was woken and has not looked yet: one wake-up serves any number of orders.
  private var isWoken = false

  init(_ configuration: CurlTransport.Configuration) { self.configuration = configuration }

  /// Posts a request, starting the thread if there is none yet.
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

  /// Posts that a request is given up; one that has ended is not affected.
  func cancel(_ id: UInt64) {
    lock.lock()
    defer { lock.unlock() }
    guard multi != nil else { return }
    orders.cancels.insert(id)
    wake()
  }

  /// Posts that nothing further comes; the thread ends after the last request under way.
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

  /// Says that the thread has ended; no wake-up reaches its multi handle afterwards.
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
