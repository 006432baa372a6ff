import Foundation

/// The preloaded library that lets system calls fail (fault-shim.c), built where the tests run.
struct FaultShim {
  /// The calls it stands before, in the order of its counters.
  static let calls = [
    "openat", "write", "pwrite64", "fsync", "fdatasync", "rename", "link", "unlink", "ftruncate", "mkdir", "pread64",
  ]

  /// The system calls behind them, as strace knows them.
  static let traced = [
    "open", "openat", "openat2", "creat", "write", "writev", "pwrite64", "pwritev", "pwritev2", "fsync", "fdatasync",
    "sync_file_range", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "truncate",
    "ftruncate",
    "fallocate", "mkdir", "mkdirat", "pread64", "read",
  ]

  /// What is tried with a call.
  static func faults(of call: String) -> [Fault] {
    let faults: [Fault] = [.error(EIO), .error(ENOSPC), .killBefore, .killAfter]
    return call == "pwrite64" || call == "write" ? faults + [.killHalfway, .short] : faults
  }

  /// What becomes of a call.
  enum Fault: Hashable, CustomStringConvertible {
    /// It returns this error.
    case error(Int32)
    /// The program is killed before it.
    case killBefore
    /// The program is killed after it.
    case killAfter
    /// A write does half of its work, and the program is killed.
    case killHalfway
    /// A write does half of its work and says so, as POSIX lets it.
    case short

    /// As the library understands it.
    var description: String {
      switch self {
      case .error(let number): String(number)
      case .killBefore: "kill"
      case .killAfter: "killed"
      case .killHalfway: "half"
      case .short: "short"
      }
    }
  }

  private let library: String
  private let folder: Folder

  /// True where there is a C compiler; the toolchain of Swift brings one.
  static let canBuild = has("clang") || has("cc")

  /// Builds it in `folder`.
  init(in folder: Folder) throws {
    self.folder = folder
    library = folder.path + "/fault-shim.so"
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../fault-shim.c")
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
      has("clang") ? "clang" : "cc", "-Wall", "-Werror", "-shared", "-fPIC", "-O1", "-o", library,
      source.standardizedFileURL.path, "-ldl",
    ]
    try compiler.run()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  /// What the environment of the program must have, so that the call that comes `number`th fails.
  func environment(_ call: String = "", number: Int = 0, _ fault: Fault? = nil) throws -> [String: String] {
    let counters = folder.path + "/counters"
    try Data(count: (Self.calls.count + 1) * 8).write(to: URL(fileURLWithPath: counters))
    return [
      "LD_PRELOAD": library, "FAULT_ROOT": folder.store, "FAULT_COUNTERS": counters, "FAULT_CALL": call,
      "FAULT_NUMBER": "\(number)", "FAULT_KIND": fault?.description ?? "",
    ]
  }

  /// How many calls of each kind the last run made, and whether its fault came.
  func counters() throws -> (calls: [String: Int], hasStruck: Bool) {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/counters")))
    let numbers = stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    return (Dictionary(uniqueKeysWithValues: zip(Self.calls, numbers)), numbers.last == 1)
  }
}
