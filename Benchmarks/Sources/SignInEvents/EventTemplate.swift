// The data of an event as text with holes. A hole is two characters between ‹ and ›: a value of the flow, or one that is
// made again each time it is met.

/// What fills a hole.
enum Hole: Character {
  // Values of the flow.
  case login = "u"
  case userID = "U"
  case firstName = "f"
  case lastName = "l"
  case phone = "p"
  case device = "d"
  case fingerprint = "F"
  case factorID = "i"
  case factorList = "x"
  case factorSummary = "y"
  case authenticators = "z"
  case options = "w"
  case userAgent = "a"
  case locale = "L"
  case timeZone = "Z"
  // Values of the moment.
  case requestID = "R"
  case objectID = "I"
  case time = "t"
  case httpDate = "D"
  case epoch = "E"
  case remaining = "n"
  case trace = "T"
}

/// An event's type and data.
struct EventTemplate: Sendable {
  enum Piece: Sendable {
    case text([UInt8])
    case hole(Hole)
  }

  let type: String
  let pieces: [Piece]

  /// A template from text with holes like `‹u›`. Line ends and the spaces after them are left out.
  init(_ type: String, _ text: String) {
    self.type = type
    var pieces: [Piece] = []
    var literal = ""
    var rest = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()[...]
    while let open = rest.firstIndex(of: "‹"), let close = rest[open...].firstIndex(of: "›") {
      literal += rest[..<open]
      if let hole = rest[rest.index(after: open)..<close].first.flatMap(Hole.init) {
        pieces.append(.text(Array(literal.utf8)))
        pieces.append(.hole(hole))
        literal = ""
      } else {
        preconditionFailure("a template has an unknown hole")
      }
      rest = rest[rest.index(after: close)...]
    }
    literal += rest
    pieces.append(.text(Array(literal.utf8)))
    self.pieces = pieces
  }
}
