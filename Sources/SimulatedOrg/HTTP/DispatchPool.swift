// Waits for sockets by dispatch sources.
//
// FlyingSocks brings a pool on epoll, which this module had at first. It leaves one descriptor behind for each pool
// (its wake-up event is never closed), and it keeps stale entries: when a socket closes while its registration is being
// removed, the stale entry makes the next socket with that number wait forever. Sources keep no state between two
// waits, and resume only after they have released the descriptor, so that closing it is safe.

import Dispatch
import FlyingSocks

/// One wait, one dispatch source.
struct DispatchPool: AsyncSocketPool {
  private static let queue = DispatchQueue(label: "SimulatedOrg.sockets", attributes: .concurrent)

  func prepare() async throws {}

  func run() async throws {}

  /// Returns when the socket is ready, or has failed: the next read or write reports the error.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    let source = Source(socket.file.rawValue, writing: events.contains(.write))
    await withTaskCancellationHandler {
      await withCheckedContinuation { source.start($0) }
    } onCancel: {
      source.stop()
    }
    try Task.checkCancellation()
  }

  /// `@unchecked`: a dispatch source may be used from any thread, its protocol just does not say so on Linux.
  private struct Source: @unchecked Sendable {
    private let source: any DispatchSourceProtocol

    init(_ file: Int32, writing: Bool) {
      source =
        writing
        ? DispatchSource.makeWriteSource(fileDescriptor: file, queue: queue)
        : DispatchSource.makeReadSource(fileDescriptor: file, queue: queue)
    }

    func start(_ waiting: CheckedContinuation<Void, Never>) {
      source.setEventHandler { stop() }
      source.setCancelHandler { waiting.resume() }
      source.activate()
    }

    func stop() { source.cancel() }
  }
}
