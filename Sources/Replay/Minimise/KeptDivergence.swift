// What a smaller recording must have in common with the divergence that it is kept for.

import EventStore

/// A divergence without what differs of necessity in a smaller recording: revisions, and the numbers of placeholders.
struct KeptDivergence: Hashable {
  private let cause: DivergenceCause.Key
  /// The value in the recording; of an event that only one side has, or that is another one, what it says.
  private let recorded: JSON?
  /// The same for the value that the SDK made.
  private let replayed: JSON?

  /// What must be kept of a divergence.
  init(_ divergence: Divergence) {
    cause = DivergenceCause.Key(divergence)
    if let path = divergence.path, path != "type" {
      let isNumber = path.split(separator: ".").last.map { Self.numbers.contains(String($0)) } ?? false
      recorded = isNumber ? nil : divergence.recorded.map(Self.withoutNumbers)
      replayed = isNumber ? nil : divergence.replayed.map(Self.withoutNumbers)
    } else {
      recorded = Self.words(of: divergence.expected)
      replayed = Self.words(of: divergence.actual)
    }
  }

  private init(_ cause: DivergenceCause.Key, _ recorded: JSON?, _ replayed: JSON?) {
    (self.cause, self.recorded, self.replayed) = (cause, recorded, replayed)
  }

  /// The same whatever the texts are, which differ once persons were replaced.
  var withoutTexts: KeptDivergence {
    func without(_ json: JSON) -> JSON {
      json.replacing { _ in
        JSON.string("")
      } names: { _ in
        nil
      }
    }
    return KeptDivergence(cause, recorded.map(without), replayed.map(without))
  }

  /// Members that count events or draws.
  private static let numbers: Set<String> = ["rev", "cause", "call", "on", "ordinal"]

  private static func withoutNumbers(_ json: JSON) -> JSON {
    json.replacing { text in
      JSON.string(text.replacing(/\$secret\.([^$.]+)\.[0-9]+/) { "$secret.\($0.output.1)" })
    } names: { _ in
      nil
    }
  }

  /// What an event says by itself: its status, outcome, purpose. The rest of it is mostly of the answer before it. The
  /// path of a request is a part of the cause, and its ids differ between flows.
  private static func words(of event: JSON?) -> JSON? {
    guard let data = event?["data"]?.object else { return nil }
    let members = data.members.filter { member in
      switch member.value {
      case .null, .bool, .number, .string: !numbers.contains(member.key) && member.key != "url"
      case .array, .object: false
      }
    }
    return withoutNumbers(.object(JSONObject(members)))
  }
}
