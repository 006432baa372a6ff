import DeviceAuthenticator
import Glibc

/// Work on a key store that is troubled.
struct KeyWork {
  let directory: String

  private func open() throws -> FileKeyStore { try FileKeyStore(directory: directory, seal: .none) }

  private func make(_ store: FileKeyStore, _ tag: String) throws -> String {
    let key = try store.generate(tag: tag, role: .proofOfPossession, binding: nil)
    return (key.x + key.y).map { String($0, radix: 16) }.joined(separator: ".")
  }

  /// Replaces one key until it is killed, and says each that it has made.
  func makeForEver() throws {
    let store = try open()
    while true { DeviceStoreSubject.say("made \(try make(store, "a"))") }
  }

  /// A file may have no more than a few bytes: each write of a key fails in the middle.
  func makeOnFullDisk() throws {
    let store = try open()
    DeviceStoreSubject.say("made \(try make(store, "a"))")
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 50, rlim_max: 50)
    guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(70) }
    for tag in ["a", "b"] {
      do { _ = try make(store, tag) } catch { DeviceStoreSubject.say("refused \(error)") }
    }
  }

  /// The folder belongs to a user who may not write it.
  func makeWithoutPermission() throws {
    _ = try make(try open(), "a")
    let other: uid_t = 65_534
    // From inside: the other user may not be let through the folders above.
    guard chdir(directory) == 0 else { exit(70) }
    if geteuid() == 0 {
      for path in [directory, directory + "/LOCK", directory + "/store.json", directory + "/a.key"] {
        guard chown(path, other, other) == 0 else { exit(70) }
      }
      guard chmod(directory, 0o500) == 0, setgid(other) == 0, setuid(other) == 0 else { exit(70) }
    } else {
      guard chmod(directory, 0o500) == 0 else { exit(70) }
    }
    let store = try KeyWork(directory: ".").open()
    for tag in ["a", "b"] {
      do {
        _ = try make(store, tag)
        DeviceStoreSubject.say("made \(tag)")
      } catch {
        DeviceStoreSubject.say("refused \(error)")
      }
    }
    do { try store.delete(tag: "a") } catch { DeviceStoreSubject.say("refused \(error)") }
    DeviceStoreSubject.say("state \(store.state(tag: "a").rawValue)")
  }

  /// Signals come all the time, and none is restarted by the system.
  func makeInterrupted(_ count: Int) throws {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    action.sa_flags = 0
    sigaction(SIGALRM, &action, nil)
    let half = timeval(tv_sec: 0, tv_usec: 500)
    var timer = itimerval(it_interval: half, it_value: half)
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
    let store = try open()
    for number in 0..<count {
      _ = try make(store, "key-\(number % 3)")
      guard try store.sign([1], tag: "key-\(number % 3)", receipt: nil).count == 64 else { exit(70) }
    }
    DeviceStoreSubject.say("done \(count)")
  }
}
