import Foundation

/// What strace wrote of a program: its calls in the order in which they ended.
struct Trace {
  /// One call.
  struct Call {
    /// Its name.
    var name: String
    /// The line, put together where it was written in two parts.
    var text: String
    /// What it returned.
    var result: Int
    /// Where it began, in the order of all beginnings and ends.
    var began: Int
    /// Where it ended.
    var ended: Int
  }

  private(set) var calls: [Call] = []
  /// The calls in which the program's end found a thread: name and the line as far as it goes.
  private(set) var cutOff: [(name: String, text: String)] = []

  /// True where strace is installed and may trace.
  static let isThere: Bool = {
    guard has("strace") else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["strace", "-o", "/dev/null", "true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// The command before a program that writes the calls of all its threads to a file.
  static func command(_ file: String, calls: [String]) -> [String] {
    // `?` lets strace pass over a call that this machine does not have.
    let names = calls.map { "?" + $0 }.joined(separator: ",")
    return ["/usr/bin/env", "strace", "-f", "-y", "-s", "96", "-o", file, "-e", "trace=\(names)", "-e", "signal=none"]
  }

  /// Reads such a file.
  init(_ file: String) throws {
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
    var unfinished: [Substring: (text: String, began: Int)] = [:]
    for (index, line) in text.split(separator: "\n").enumerated() {
      let thread = line.prefix { $0 != " " }
      let rest = line.dropFirst(thread.count).drop { $0 == " " }
      if rest.hasSuffix(" <unfinished ...>") {
        unfinished[thread] = (String(rest.dropLast(" <unfinished ...>".count)), index)
      } else if rest.hasPrefix("<... "), let end = rest.firstRange(of: " resumed>") {
        guard let (start, began) = unfinished.removeValue(forKey: thread) else { continue }
        note(start + rest[end.upperBound...], began: began, ended: index)
      } else {
        note(String(rest), began: index, ended: index)
      }
    }
    for (start, _) in unfinished.values { noteCutOff(start) }
  }

  private mutating func noteCutOff(_ text: String) {
    guard let open = text.firstIndex(of: "(") else { return }
    cutOff.append((String(text[..<open]), text))
  }

  private mutating func note(_ text: String, began: Int, ended: Int) {
    guard let open = text.firstIndex(of: "("), let equals = text.lastRange(of: " = ") else { return }
    let result = text[equals.upperBound...].prefix { $0 == "-" || $0.isNumber }
    guard let result = Int(result) else { return noteCutOff(text) }
    calls.append(
      Call(name: String(text[..<open]), text: text, result: result, began: began, ended: ended))
  }
}

extension String {
  /// The last place of a text.
  fileprivate func lastRange(of text: String) -> Range<String.Index>? { ranges(of: text).last }
}
