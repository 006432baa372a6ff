// The head of a recorded response as the bytes that a server sends, read again as the transport reads them.

import FlowRecording

enum ResponseBytes {
  /// Reads status and headers from their lines (RFC 9112 §4, §5). Headers that no line can express stay as they are.
  static func read(_ status: Int, _ headers: [HTTPField]) -> (status: Int, headers: [HTTPField]) {
    guard (200...599).contains(status), headers.allSatisfy(isLine) else { return (status, headers) }
    var head = ResponseHead()
    // An interim response is dropped with its fields; blanks around a value are not part of it.
    let interim = ["HTTP/1.1 103 Early Hints", "Link: </sign-in.css>; rel=preload", ""]
    for line in interim + ["HTTP/1.1 \(status) Recorded"] { head.take(Array("\(line)\r\n".utf8)) }
    for (index, field) in headers.enumerated() {
      let blanks = index % 2 == 0 ? (" ", "") : ("\t ", " ")
      for line in lines(field.value) {
        let start = line.isFirst ? "\(field.name):" : ""
        head.take(Array("\(start)\(blanks.0)\(line.text)\(blanks.1)\r\n".utf8))
      }
    }
    head.take(Array("\r\n".utf8))
    return (head.isComplete && !head.isMalformed ? head.status : 0, head.fields)
  }

  /// A value with one blank between words may be folded into two lines (RFC 9112 §5.2).
  private static func lines(_ value: String) -> [(isFirst: Bool, text: String)] {
    let words = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, words.allSatisfy({ word in !word.isEmpty && !word.utf8.contains(UInt8(ascii: "\t")) }),
      words[1].first != " "
    else { return [(true, value)] }
    return [(true, String(words[0])), (false, String(words[1]))]
  }

  private static func isLine(_ field: HTTPField) -> Bool {
    guard let first = field.name.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "\t") else {
      return false
    }
    let value = field.value.utf8
    func isBlank(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    return !field.name.utf8.contains(UInt8(ascii: ":")) && !isBlank(value.first) && !isBlank(value.last)
      && (field.name + field.value).utf8.allSatisfy { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
  }
}
