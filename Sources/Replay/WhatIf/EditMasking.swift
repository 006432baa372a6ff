// Masks answers that a person wrote as the SDK masks those of an org.

import EventStore
import FlowRecording

/// Masks the answers that a person supplies for one flow. Placeholders of the recording stay, so that a changed copy of
/// a recorded body keeps its handles; every other secret gets a placeholder that the recording does not have.
struct EditMasking {
  private let flow: RecordedFlow
  private var captured: CapturedMessages
  /// The placeholders of the recording; `nil` until they are first needed.
  private var recorded: Set<String>?
  /// The stand-ins for placeholders of the recording while a message is masked.
  private var standIns: [Swap] = []
  /// The placeholders of the recording, by those that their stand-ins got.
  private var kept: [String: String] = [:]
  /// The offset added to the numbers of new placeholders; `nil` until it is needed.
  private var offset: Int?

  /// A text and its replacement.
  private struct Swap {
    var old: String
    var new: String
  }

  /// Masks by the policy of the flow's kind.
  init(_ flow: RecordedFlow, policy: MaskingPolicy) {
    self.flow = flow
    captured = CapturedMessages(policy: policy)
  }

  /// The answer in recorded form: values that the policy does not declare are secrets, and headers that it does not
  /// have are left out.
  mutating func response(status: Int, headers: [(name: String, value: String)], body: JSON?) -> ResponseReceived {
    learn(headers.map(\.value).joined(separator: " ") + " " + (body?.text ?? ""))
    let fields = headers.map { HTTPField($0.name, Self.replace(standIns, in: $0.value)) }
    let bytes = body.map { Self.replace(standIns, in: $0).bytes } ?? []
    var masked = captured.response(HTTPResponse(status: status, headers: fields, body: bytes))
    let names = names(in: FlowEvent.responseReceived(masked).data.text)
    masked.headers = masked.headers.map { HTTPField($0.name, Self.replace(names, in: $0.value)) }
    switch masked.body {
    case .empty: break
    case .json(let json): masked.body = .json(Self.replace(names, in: json))
    case .opaque(let reason, let length, let placeholder):
      masked.body = .opaque(reason: reason, length: length, placeholder: Self.replace(names, in: placeholder))
    }
    return masked
  }

  /// Gives each placeholder of the recording in a text a stand-in, which is a secret from now on.
  private mutating func learn(_ text: String) {
    for name in PlaceholderNames.names(in: text) {
      let placeholder = "$secret.\(name)$"
      if recorded == nil {
        recorded = Set(PlaceholderNames(of: flow.records).byRecord.joined().map { "$secret.\($0)$" })
      }
      guard recorded?.contains(placeholder) == true, !standIns.contains(where: { $0.old == placeholder })
      else { continue }
      // Only letters, and all of the same length: none contains a number, and none is the beginning of another.
      let letters = String(standIns.count + 1_000_000).utf8.map { String(UnicodeScalar($0 - 0x30 + 0x67)) }.joined()
      let standIn = "qzKeptFromRecording" + letters
      standIns.append(Swap(old: placeholder, new: standIn))
      let request = HTTPRequest(method: "POST", url: "", headers: [], body: JSON.array([.string(standIn)]).bytes)
      if let masked = captured.request(request).body?.array?.first?.string { kept[masked] = placeholder }
    }
  }

  /// The recording's names for the placeholders and stand-ins of a masked text.
  private mutating func names(in text: String) -> [Swap] {
    var names: [Swap] = []
    var seen: Set<String> = []
    for name in PlaceholderNames.names(in: text) {
      let placeholder = "$secret.\(name)$"
      guard seen.insert(placeholder).inserted else { continue }
      if let old = kept[placeholder] {
        names.append(Swap(old: placeholder, new: old))
      } else {
        names.append(Swap(old: placeholder, new: renumbered(name)))
      }
    }
    return names + standIns.map { Swap(old: $0.new, new: $0.old) }
  }

  /// A placeholder with a number that the recording does not use.
  private mutating func renumbered(_ name: Substring) -> String {
    var parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, let number = Int(parts[1]) else { return "$secret.\(name)$" }
    if offset == nil { offset = Self.highest(in: flow) }
    parts[1] = String(number + (offset ?? 0))
    return "$secret.\(parts.joined(separator: "."))$"
  }

  /// The highest number of a placeholder of a flow, at least 900.
  private static func highest(in flow: RecordedFlow) -> Int {
    PlaceholderNames(of: flow.records).byRecord.joined().reduce(900) { highest, name in
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count > 1, let number = Int(parts[1]), number < 1_000_000_000 else { return highest }
      return max(highest, number)
    }
  }

  private static func replace(_ swaps: [Swap], in json: JSON) -> JSON {
    guard !swaps.isEmpty else { return json }
    return json.replacing { text in
      JSON.string(replace(swaps, in: text))
    } names: { name in
      replace(swaps, in: name)
    }
  }

  /// A text with its swaps made, from the beginning to the end, once.
  private static func replace(_ swaps: [Swap], in text: String) -> String {
    guard !swaps.isEmpty else { return text }
    var out: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      if let swap = swaps.first(where: { rest.starts(with: $0.old.utf8) }) {
        out += Array(swap.new.utf8)
        rest = rest.dropFirst(swap.old.utf8.count)
      } else {
        out.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
