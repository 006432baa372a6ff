// A reply as it came over the wire, and a way to look into its JSON.

import Foundation
import Testing

struct WireReply {
  let status: Int
  let headers: [(name: String, value: String)]
  let body: [UInt8]
  /// Bytes of head and body together.
  let length: Int
  /// The body, parsed once; `nil` where it is no JSON.
  nonisolated(unsafe) private let json: Any?

  /// `nil` while bytes are missing.
  init?(parsing bytes: [UInt8]) {
    guard let end = bytes.indices.dropLast(3).first(where: { Array(bytes[$0..<($0 + 4)]) == [13, 10, 13, 10] }) else {
      return nil
    }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
    }
    status = Int(lines[0].split(separator: " ")[1]) ?? 0
    let count = headers.first { $0.name == "Content-Length" }.flatMap { Int($0.value) } ?? 0
    length = end + 4 + count
    guard bytes.count >= length else { return nil }
    body = Array(bytes[(end + 4)..<length])
    json = try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed)
  }

  func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

  var bodyText: String { String(decoding: body, as: UTF8.self) }

  /// What stands at a dotted path, `_embedded.factors.0.id`; `nil` where nothing does.
  func value(_ path: String) -> Any? {
    var here = json
    for step in path.split(separator: ".") {
      if let index = Int(step), let array = here as? [Any] {
        here = array.indices.contains(index) ? array[index] : nil
      } else {
        here = (here as? [String: Any])?[String(step)]
      }
    }
    return here
  }

  /// The text at a dotted path; fails the test where there is none.
  func text(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    try #require(value(path) as? String, "no text at \(path) in \(bodyText)", sourceLocation: sourceLocation)
  }

  func number(_ path: String) -> Int? { value(path) as? Int }
  func count(_ path: String) -> Int? { (value(path) as? [Any])?.count }
  var statusText: String? { value("status") as? String }
  var errorCode: String? { value("errorCode") as? String }
}
