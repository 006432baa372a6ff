import Foundation

/// Where a program leaves what came of it, from any thread; the first word counts.
struct Outcome: Sendable {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(of: String.self) }

  func settle(_ text: String) {
    continuation.yield(text)
    continuation.finish()
  }

  /// What came of it, once it came.
  var text: String {
    get async {
      for await text in stream { return text }
      return "nothing came of it"
    }
  }
}

/// What programs wrote down, from any thread.
final class Notes: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  func add(_ text: String) {
    lock.lock()
    defer { lock.unlock() }
    texts.append(text)
  }

  var all: [String] {
    lock.lock()
    defer { lock.unlock() }
    return texts
  }
}

/// Runs a body on a plain thread, which belongs to no actor.
func onPlainThread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }
