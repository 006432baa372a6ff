// How configuration files are read, for the kind's tables.

import Foundation

/// The contents of configuration files, with the values read from them.
enum FileTrials {
  /// One line per file: its values, or why there are none.
  static var files: Set<String> {
    let documents = [
      "{}", #"{"issuer":"https://acme.example","clientId":"c"}"#, #"{"a":"b","a":"c"}"#, #"{"a":5}"#, #"{"a":null}"#,
      #"{"a":{"b":"c"}}"#, "[]", "text", "", #"{"b":"2","a":"1"} "#, #"{"":"empty"}"#,
    ]
    let head = #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0">"#
    let lists = [
      "<dict><key>issuer</key><string>https://acme.example</string><key>clientId</key><string>c</string></dict>",
      "<dict/>", "<dict><key>a</key><integer>5</integer></dict>", "<array><string>a</string></array>", "<dict>",
    ].map { head + $0 + "</plist>" }
    var lines = documents.enumerated().map { "json \($0) \(shown($1, ConfigurationSource.json))" }
    for (number, text) in (lists + ["text", ""]).enumerated() {
      lines.append("list \(number) \(shown(text, ConfigurationSource.propertyList))")
    }
    return Set(lines)
  }

  private static func shown(_ text: String, _ read: (Data) throws(OktaError) -> [String: String]) -> String {
    do throws(OktaError) {
      return try read(Data(text.utf8)).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
    } catch {
      return "\(error)"
    }
  }
}
