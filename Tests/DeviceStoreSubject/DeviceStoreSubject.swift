// A program that uses a key store or a storage, for tests that trouble it from outside: kill it, run it twice, refuse it
// the disk. What it promises it says on standard output, each promise in one write.
//
//   device-store-subject storage DIR NAME COUNT   COUNT operations on a storage, beside others that do the same
//   device-store-subject claims DIR NAME COUNT    claims ft0...; says those that it got
//   device-store-subject keys DIR                 makes the key «a» again and again until it is killed
//   device-store-subject full DIR                 makes keys on a disk that is full after a few bytes
//   device-store-subject readonly DIR             makes a key in a folder that may not be written
//   device-store-subject interrupted DIR COUNT    makes keys while a signal comes each half millisecond
//   device-store-subject pin DIR TTY              asks for the PIN at a terminal
//   device-store-subject pin-handled DIR TTY      the same, with a handler of its own for SIGUSR1
//
// It ends itself by SIGALRM after 120 seconds: then it hung.
import DeviceAuthenticator
import Glibc

@main
struct DeviceStoreSubject {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { exit(64) }
    if words[0] != "interrupted" { alarm(120) }
    let name = words.count > 2 ? words[2] : ""
    let count = words.last.flatMap { Int($0) } ?? 0
    do {
      switch words[0] {
      case "storage": try StorageWork(directory: words[1], name: name).run(count)
      case "claims": try StorageWork(directory: words[1], name: name).claim(count)
      case "keys": try KeyWork(directory: words[1]).makeForEver()
      case "full": try KeyWork(directory: words[1]).makeOnFullDisk()
      case "readonly": try KeyWork(directory: words[1]).makeWithoutPermission()
      case "interrupted": try KeyWork(directory: words[1]).makeInterrupted(count)
      case "pin": try await PINWork(directory: words[1]).ask(terminal: name, isHandled: false)
      case "pin-handled": try await PINWork(directory: words[1]).ask(terminal: name, isHandled: true)
      default: exit(64)
      }
    } catch {
      say("error \(error)")
      exit(1)
    }
  }

  /// Says one line, in one write.
  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
