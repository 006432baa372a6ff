// Documents with one value changed: comparing what a reader makes of each shows which values it reads.

package import EventStore

/// How a value of an answer is changed.
package enum ChangedJSON: CaseIterable {
  /// Left out.
  case left
  /// Null instead.
  case null
  /// A value of another type.
  case retyped
  /// Another value of its type: twice the text, the other flag, an element more.
  case doubled

  /// A place in a document: the indices of members or elements on the path.
  package typealias Place = [Int]

  /// All places of a document except its root.
  package static func places(in json: JSON, depth: Int = 0) -> [Place] {
    guard depth < 12 else { return [] }
    let children =
      switch json {
      case .object(let object): object.members.map(\.value)
      case .array(let elements): elements
      case .null, .bool, .number, .string: [JSON]()
      }
    return children.enumerated().flatMap { index, child in
      [[index]] + places(in: child, depth: depth + 1).map { [index] + $0 }
    }
  }

  /// All ways for the first of several documents. For the others one at each place, which changes from place to place
  /// and from document to document.
  package static func ways(ofDocument turn: Int) -> (_ number: Int) -> [ChangedJSON] {
    { number in turn == 0 ? allCases : [allCases[(number + turn) % allCases.count]] }
  }

  /// What is made of a document with the value at each place changed: a digest for each place.
  ///
  /// - Parameter ways: the ways to change the value of a place, by the number of the place; all by default.
  package static func digests(
    of document: JSON, in ways: (_ number: Int) -> [ChangedJSON] = { _ in allCases }, _ read: (JSON) -> String
  ) -> [(place: Place, digest: String)] {
    places(in: document).enumerated().map { number, place in
      let ends = ways(number).map { read($0.applied(to: document, at: place[...])) }
      return (place, StableHash.text(ends.joined(separator: "\n")))
    }
  }

  /// The same with one way at each place, which changes from place to place.
  package static func digestsInTurn(of document: JSON, _ read: (JSON) -> String) -> [(place: Place, digest: String)] {
    digests(of: document, in: { [allCases[$0 % allCases.count]] }, read)
  }

  /// The document with another value, or none, at a place.
  package func applied(to json: JSON, at place: ArraySlice<Int>) -> JSON {
    guard let index = place.first else { return json }
    let rest = place.dropFirst()
    switch json {
    case .object(var object):
      var members = object.members
      guard members.indices.contains(index) else { return json }
      if rest.isEmpty, self == .left {
        members.remove(at: index)
      } else {
        members[index].value =
          rest.isEmpty ? changed(members[index].value) : applied(to: members[index].value, at: rest)
      }
      object = JSONObject(members)
      return .object(object)
    case .array(var elements):
      guard elements.indices.contains(index) else { return json }
      if rest.isEmpty, self == .left {
        elements.remove(at: index)
      } else if rest.isEmpty, self == .doubled {
        elements.insert(elements[index], at: index)
      } else {
        elements[index] = rest.isEmpty ? changed(elements[index]) : applied(to: elements[index], at: rest)
      }
      return .array(elements)
    case .null, .bool, .number, .string: return json
    }
  }

  private func changed(_ value: JSON) -> JSON {
    guard self == .retyped || self == .doubled else { return .null }
    return switch value {
    case .null: "word"
    case .bool(let flag): self == .doubled ? .bool(!flag) : .string(flag ? "TRUE" : "false")
    case .number(let text): self == .doubled ? .number(text + "0") : .string(text)
    case .string(let text): self == .doubled ? .string(text + text) : .int(text.utf8.count)
    case .array(let elements): elements.first ?? [:]
    case .object: .array([value])
    }
  }
}

extension RuntimeTables {
  /// A vault with a secret, and its placeholder.
  package static func vault(holding secret: String) -> (vault: Vault, placeholder: String) {
    var vault = Vault()
    let placeholder = vault.placeholder(for: .string(secret), kind: "password")
    return (vault, placeholder)
  }

  /// The masked form of an answer.
  package static func masked(_ document: JSON, by policy: MaskingPolicy) -> String {
    var vault = Vault()
    return Masker(policy: policy).mask(HTTPResponse(status: 200, body: document.bytes), into: &vault).data.text
  }

  /// A line for each value that has another type instead: each number and flag as text, each text as a number.
  package static func retyped(_ document: JSON, _ read: (JSON) -> String) -> [String] {
    ChangedJSON.places(in: document).map { place in
      "retyped \(place)|" + StableHash.text(read(ChangedJSON.retyped.applied(to: document, at: place[...])))
    }
  }

  /// A line for a document, and one for each change of one of its values: in one way, or in two if the document is
  /// small, taking turns among all ways.
  package static func changes(of document: JSON, _ read: (JSON) -> String) -> [String] {
    let places = ChangedJSON.places(in: document)
    return [line("as it is", read(document))]
      + places.enumerated().flatMap { number, place in
        (places.count > 60 ? [number] : [number, number + 2]).map { turn in
          let change = ChangedJSON.allCases[turn % ChangedJSON.allCases.count]
          return line(
            "\(place) \(turn % ChangedJSON.allCases.count)",
            StableHash.text(read(change.applied(to: document, at: place[...]))))
        }
      }
  }
}
