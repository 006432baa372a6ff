import Dispatch

/// Recognizes the main queue: under tests, its work may run on any thread, the main thread being parked.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the calling code runs on the main queue.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
