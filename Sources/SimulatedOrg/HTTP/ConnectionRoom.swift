// The connections of a listener, and which of them to close. Descriptors are few: a process that has none left can
// neither accept a connection nor read a file, and libdispatch ends it. So each listener has a bounded number of
// places.
//
// When they run out, the client that has kept the server waiting for longest makes room for the next one: every client
// that sends a request gets an answer, however many others are connected and silent. That needs no short deadline,
// which would cut off a client at a breakpoint or on a busy machine though there is room for it.

import FlyingSocks
import Glibc
import Synchronization

/// How many connections a listener has at once, and how long a client may keep it waiting.
struct ConnectionLimits: Sendable {
  /// The most connections at once; streams count too. Others wait in the queue of the port.
  var places: Int
  /// The longest time from the end of one exchange to the end of the next request, and for a client to take what is
  /// written to it. A stream that has nothing to write is not waiting.
  var patience: Duration

  /// How long a client may take what is written to it before it counts as one that keeps the server waiting: no answer
  /// on its way is cut off.
  var grace: Duration { patience / 50 }

  /// A quarter of the descriptors that this process may have, but no more than 512: an org has two listeners, and what
  /// is served needs files.
  static let standard = ConnectionLimits(places: min(max(descriptors / 4, 4), 512), patience: .seconds(300))

  private static var descriptors: Int {
    var limit = rlimit()
    // SAFETY: the kernel fills in the structure, which is ours until the call returns.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }
}

/// The connections of one listener.
final class ConnectionRoom: Sendable {
  private struct Guest {
    let socket: Socket
    /// Since when the client has kept the server waiting; nil while the server is working.
    var waiting: ContinuousClock.Instant?
    var isDismissed = false
  }

  private struct State {
    var guests: [Int: Guest] = [:]
    var number = 0
    /// The listener, while it waits for a place.
    var listener: CheckedContinuation<Void, Never>?

    mutating func add(_ socket: Socket) -> Int {
      number += 1
      guests[number] = Guest(socket: socket)
      return number
    }

    mutating func setWaiting(_ number: Int, from start: ContinuousClock.Instant?) { guests[number]?.waiting = start }

    mutating func takeListener() -> CheckedContinuation<Void, Never>? {
      defer { listener = nil }
      return listener
    }

    /// Ends the connection of a client that keeps the server waiting. Its task wakes and closes the socket: until then
    /// the descriptor is that connection's and no other's.
    private mutating func dismiss(_ number: Int) {
      guard let guest = guests[number], guest.waiting != nil, !guest.isDismissed else { return }
      guests[number]?.isDismissed = true
      shutdown(guest.socket.file.rawValue, Int32(SHUT_RDWR))
    }

    /// Dismisses the client that keeps the server waiting for longest, unless one is on its way out.
    mutating func dismissLongest(at now: ContinuousClock.Instant) {
      guard !guests.values.contains(where: { $0.isDismissed }) else { return }
      var longest: (number: Int, since: ContinuousClock.Instant)?
      for (number, guest) in guests {
        guard let since = guest.waiting, since <= now else { continue }
        if let known = longest, known.since <= since { continue }
        longest = (number, since)
      }
      if let longest { dismiss(longest.number) }
    }

    /// Dismisses all clients that keep the server waiting since that time or longer.
    mutating func dismissAll(waitingSince latest: ContinuousClock.Instant) {
      for (number, guest) in guests {
        if let since = guest.waiting, since <= latest { dismiss(number) }
      }
    }
  }

  private let limits: ConnectionLimits
  private let state = Mutex(State())

  init(_ limits: ConnectionLimits) { self.limits = limits }

  /// Returns a place for a new connection. If all are taken, a client that keeps the server waiting is dismissed first;
  /// if there is none, the new client waits for one, or for one to leave.
  func place(for socket: Socket) async -> ConnectionPlace {
    while true {
      let number = state.withLock { state -> Int? in state.guests.count < limits.places ? state.add(socket) : nil }
      if let number { return ConnectionPlace(room: self, number: number) }
      await makeRoom()
    }
  }

  /// Returns when there may be a place, or another client that can be dismissed.
  private func makeRoom() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let hasRoom = state.withLock { state -> Bool in
        if state.guests.count < limits.places { return true }
        state.dismissLongest(at: ContinuousClock.now)
        state.listener = continuation
        return false
      }
      if hasRoom { continuation.resume() }
    }
  }

  /// Dismisses clients whose patience limit has passed, until the task is cancelled.
  func watch() async {
    while (try? await Task.sleep(for: limits.grace)) != nil {
      let latest = ContinuousClock.now - limits.patience
      let listener = state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.dismissAll(waitingSince: latest)
        // A client's grace may be over.
        return state.takeListener()
      }
      listener?.resume()
    }
  }

  fileprivate func startReading(_ number: Int) {
    let listener = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.setWaiting(number, from: ContinuousClock.now)
      return state.takeListener()
    }
    listener?.resume()
  }

  fileprivate func startWriting(_ number: Int) {
    state.withLock { $0.setWaiting(number, from: ContinuousClock.now + limits.grace) }
  }

  fileprivate func endWaiting(_ number: Int) { state.withLock { $0.setWaiting(number, from: nil) } }

  fileprivate func isDismissed(_ number: Int) -> Bool {
    state.withLock { $0.guests[number]?.isDismissed ?? false }
  }

  fileprivate func leave(_ number: Int) {
    let listener = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.guests[number] = nil
      return state.takeListener()
    }
    listener?.resume()
  }
}

/// The place of one connection. From `startReading` or `startWriting` to `endWaiting` the socket may be shut down, so
/// it must not be closed in between.
struct ConnectionPlace: Sendable {
  fileprivate let room: ConnectionRoom
  fileprivate let number: Int

  /// Whether the connection has been shut down.
  var isDismissed: Bool { room.isDismissed(number) }

  /// It is the client's turn to send a request.
  func startReading() { room.startReading(number) }

  /// It is the client's turn to take what is written to it.
  func startWriting() { room.startWriting(number) }

  /// It is the server's turn.
  func endWaiting() { room.endWaiting(number) }

  /// Releases the place to another connection; this one is closed.
  func leave() { room.leave(number) }
}
