// The seams that come with the SDK: what they return, and what it accepts from them.

import EventStore
import Foundation

extension RuntimeTables {
  static var devices: [String] {
    let tokens =
      (0...40).map { String(repeating: "a", count: $0) } + (0..<128).map { "ab" + String(UnicodeScalar(UInt8($0))) }
      + ["é", "ab\u{301}", String(repeating: "é", count: 16)]
    var lines = tokens.map { line($0, DeviceToken.checked($0)) }
    let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255, 254))
    let fixed = FixedDevice(id)
    lines.append(line("fixed", "\(fixed.token) \(fixed.token(for: "a")) \(fixed.token(for: "b"))"))
    // Without a file, the id lasts as long as the process, or until it is reset.
    let stored = StoredDevice(path: "")
    let first = stored.token(for: "https://acme.example")
    let same = ["https://acme.example", "https://acme.example//", "https://b.example"].map {
      stored.token(for: $0) == first
    }
    let isForgotten = (try? stored.reset()) != nil
    lines.append(
      line("stored", "\(first.utf8.count) \(same) \(isForgotten) \(stored.token(for: "https://acme.example") == first)")
    )
    return lines
  }

  /// The meaning of libcurl's codes, before and after a request was sent.
  static var failures: [String] {
    guard let easy = CurlEasy(CurlTransport.Configuration()) else { return [] }
    return (1..<100).flatMap { code in
      [false, true].map { hasSent in
        let error = TransportError.meaning(ofCode: UInt32(code), of: easy, hasSent: hasSent)
        // Errors without a code of ours have libcurl's text, which changes with its version.
        return line("\(code) \(hasSent)", error.code == .other ? "other" : "\(error.code.rawValue) \(error.detail)")
      }
    }
  }
}
