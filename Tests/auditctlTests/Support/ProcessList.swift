import FlowRecording
import Foundation
import Glibc

/// What the machine's list of processes shows, from the moments that it was looked at.
final class ProcessList: Sendable {
  private let seen = Locked<[String: String]>([:])
  private let home: String

  /// A list that shows the environment of programs with this home besides.
  init(home: String) { self.home = home }

  /// What was seen, by moment.
  var moments: [String: String] { seen.withLock { $0 } }

  /// All that was seen.
  var text: String { moments.values.joined(separator: "\n") }

  /// Adds what someone else saw.
  func add(_ moment: String, _ text: String) { seen.withLock { $0[moment, default: ""] += text } }

  /// Looks at the command lines of all processes, and at the environment of those that have the home, as far as it can be
  /// read.
  func look(_ moment: String) {
    var text = ""
    for process in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(process) != nil {
      text += Self.read("/proc/\(process)/cmdline") + "\n"
      let environment = Self.read("/proc/\(process)/environ")
      if environment.contains(home) { text += environment + "\n" }
    }
    add(moment, text)
  }

  private static func read(_ path: String) -> String {
    guard let bytes = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).readToEnd() else { return "" }
    return String(decoding: bytes, as: UTF8.self).replacing("\0", with: "\n")
  }
}

/// A browser for `$BROWSER`: a script that looks at the list of processes while its page is open, says which page that is,
/// and stays until it is closed.
final class NotingBrowser: Sendable {
  let path: String
  private let folder: Folder
  private let pages: Int32
  private let close: Int32

  init(in folder: Folder) throws {
    self.folder = folder
    path = try folder.write(
      """
      #!/bin/bash
      for process in /proc/[0-9]*; do
        tr '\\0' '\\n' <"$process/cmdline"
        if grep -qsF "$HOME" "$process/environ"; then tr '\\0' '\\n' <"$process/environ"; fi
      done >"$HOME/listed" 2>"$HOME/errors"
      printf '%s\\n' "$1" >"$HOME/pages"
      read -r _ <"$HOME/close"

      """, to: "browser")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    // Open for both ends, so that neither side waits for the other to come or notices that it goes.
    func pipe(_ name: String) -> Int32 {
      mkfifo(folder(name), 0o600) == 0 ? open(folder(name), O_RDWR | O_CLOEXEC) : -1
    }
    (pages, close) = (pipe("pages"), pipe("close"))
  }

  deinit { for end in [pages, close] { _ = Glibc.close(end) } }

  /// The page that it is started with; empty if `end` comes first.
  func page() async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [pages] in
        let line = FileHandle(fileDescriptor: pages, closeOnDealloc: false).availableData
        continuation.resume(returning: String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines))
      }
    }
  }

  /// Closes the browser, and ends each wait for a page.
  func end() {
    for end in [pages, close] { _ = write(end, "\n", 1) }
  }

  /// What it saw.
  func listed() throws -> String { try String(contentsOfFile: folder("listed"), encoding: .utf8) }
}
