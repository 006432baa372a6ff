// The loop of a transport's thread: it takes orders, runs libcurl, reports outcomes, and sleeps.

internal import Foundation

/// Everything that only the transport's thread uses. Create and use it on that thread.
final class CurlLoop {
  private let configuration: CurlTransport.Configuration
  private let mailbox: CurlMailbox
  private let multi: CurlMulti
  private var underWay: [CurlEasy.ID: CurlTransfer] = [:]
  private var handles: [UInt64: CurlEasy.ID] = [:]
  private var deadlines = Deadlines()
  /// Handles for reuse. Creating one costs more than a request on an open connection.
  private var idle: [CurlEasy] = []
  /// Whether requests in progress share a connection, or did so earlier. Even the last of them may stall.
  private var mayShare = false
  /// The longest sleep, in milliseconds, while requests may share an HTTP/2 connection. libcurl 7.88 occasionally reads
  /// data for another stream and does not handle it until something else wakes it: with 100 streams on a connection, 2
  /// bursts in 100 stalled until the connect timeout. One more iteration resumes them.
  private static let multiplexingTick: Int32 = 20
  /// The maximum number of idle handles: twice what a burst to one host uses by default.
  private static let idleLimit = 16

  init(_ configuration: CurlTransport.Configuration, _ mailbox: CurlMailbox, _ multi: CurlMulti) {
    self.configuration = configuration
    self.mailbox = mailbox
    self.multi = multi
  }

  /// Runs until the transport has been released and its last request has ended.
  func run() {
    while turn() { sleep() }
  }

  /// Takes the orders and works on them. This is a separate function so that no local variable keeps a completion, and
  /// with it a flow, alive beyond its request while the thread sleeps.
  ///
  /// - Returns: whether there will be more work.
  private func turn() -> Bool {
    let orders = mailbox.take()
    for order in orders.sends {
      if orders.cancels.contains(order.id) {
        order.completion(.failure(.gaveUp))
      } else {
        start(order)
      }
    }
    for id in orders.cancels {
      if let handle = handles[id] { end(handle, .failure(.gaveUp)) }
    }
    if !underWay.isEmpty { work() }
    return !(orders.isClosed && underWay.isEmpty)
  }

  private func start(_ order: CurlMailbox.Order) {
    if let refusal = order.request.refusal(
      pinned: configuration.pinnedPublicKey != nil, allowsClearText: configuration.allowsClearText)
    {
      return order.completion(.failure(refusal))
    }
    let unable = TransportError(.other, "libcurl cannot take the request up.")
    guard let easy = idle.popLast() ?? CurlEasy(configuration) else { return order.completion(.failure(unable)) }
    let transfer = CurlTransfer(order, on: easy, configuration)
    guard easy.prepare(order.request, sink: transfer), multi.add(easy) else { return transfer.end(.failure(unable)) }
    underWay[easy.id] = transfer
    if underWay.count > 1 { mayShare = true }
    handles[order.id] = easy.id
    deadlines.add(order.id, at: order.posted + configuration.timeout)
  }

  /// Lets libcurl do what it can without waiting, and reports all outcomes. Data that has arrived takes precedence over
  /// a deadline that has passed.
  private func work() {
    guard multi.perform() else {
      let stuck = TransportError(.other, "libcurl cannot go on.")
      for handle in underWay.keys { end(handle, .failure(stuck)) }
      return
    }
    while let (handle, code) = multi.nextEnded() {
      if let transfer = underWay[handle] { end(handle, transfer.outcome(code, isAlone: underWay.count == 1)) }
    }
    let now = ContinuousClock.now
    while let id = deadlines.due(at: now, where: { handles[$0] != nil }), let handle = handles[id] {
      end(handle, .failure(.tooLate))
    }
  }

  /// Takes the handle back before reporting the outcome, because the completion may use it for its next request.
  private func end(_ handle: CurlEasy.ID, _ outcome: Result<HTTPResponse, TransportError>) {
    guard let transfer = underWay.removeValue(forKey: handle) else { return }
    if underWay.isEmpty { mayShare = false }
    handles[transfer.id] = nil
    multi.remove(transfer.easy)
    transfer.easy.clear()
    if idle.count < Self.idleLimit { idle.append(transfer.easy) }
    transfer.end(outcome)
  }

  /// Sleeps until a socket, an order, or a deadline needs attention; without requests in progress, until an order
  /// arrives.
  private func sleep() {
    let deadline = deadlines.first { handles[$0] != nil }
    let limit = deadline.map { Int32(clamping: ContinuousClock.now.duration(to: $0).wholeMilliseconds) } ?? .max
    let tick: Int32 = mayShare && configuration.httpVersion != .http1 ? Self.multiplexingTick : .max
    if !multi.poll(milliseconds: min(limit, tick)) {
      // If polling fails immediately, this prevents a busy loop.
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
}
