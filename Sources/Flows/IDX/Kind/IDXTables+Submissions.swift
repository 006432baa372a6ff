// The bodies of forms with all kinds of fields, without entries and with each value in each place.

import EventStore
import FlowRecording

extension IDXKind {
  static var submissions: Set<String> {
    Set(
      shapes.enumerated().flatMap { number, shape -> [String] in
        guard let form = FormReading(["name": "form", "value": shape]) else { return [] }
        let places = places(of: form.fields)
        let single = places.flatMap { place in
          fills.enumerated().map { ("\(place) \($0)", FormFills([place: $1])) }
        }
        let all = fills.enumerated().map { value, fill in
          ("all \(value)", FormFills(Dictionary(places.map { ($0, fill) }) { $1 }))
        }
        return ([("none", FormFills())] + single + all).map { "\(number) \($0)|\(body(of: form, $1))" }
      })
  }

  private static func body(of form: FormReading, _ fills: FormFills) -> String {
    do throws(Refusal) {
      return try FormSubmission(fills).body(of: form).text
    } catch {
      return error.ending(0).data.text
    }
  }

  private static let fills: [FormFills.Fill] = [
    .init(value: "word"), .init(value: "TRUE"), .init(value: true), .init(value: 5), .init(value: ["a": 1]),
    .init(value: .null), .init(option: 0), .init(option: 1), .init(option: 9), .init(option: 0, value: "word"),
  ]

  /// The places of all fields, those of options and groups included.
  private static func places(of fields: [FieldReading], _ before: String = "") -> [String] {
    fields.enumerated().flatMap { index, field -> [String] in
      let here = before.isEmpty ? "\(index)" : "\(before)/\(index)"
      let options = (field.options ?? []).enumerated().flatMap { option, reading in
        places(of: reading.nested ?? [], "\(here):\(option)")
      }
      return [here] + places(of: field.nested ?? [], here) + options
    }
  }

  private static func group(_ name: String?, _ fields: JSON, _ more: [(String, JSON?)] = []) -> JSON {
    .members([("name", name.map(JSON.string)), ("form", ["value": fields])] + more)
  }

  private static let shapes: [JSON] = [
    [["name": "a"], ["name": "b", "value": "preset"], ["name": "a", "value": "again"]],
    [["name": "a", "required": true], ["name": "b", "required": true, "value": .null]],
    [["label": "Without a name"], ["name": "", "label": "Empty", "value": "x"], ["name": "user.mail", "value": "m"]],
    [group("g", [["name": "a", "value": 1]]), group("g", [["name": "b", "value": 2], ["name": "a", "value": 3]])],
    [
      group("g", [["name": "a", "value": 1]]), group("g", [["name": "b", "value": 2]]),
      group("g", [["name": "c", "value": 3]]), ["name": "g", "value": "word"], group("g", [["name": "d", "value": 4]]),
    ],
    [
      group("g", [group("h", [["name": "a", "value": 1]])]), group("g", [group("h", [["name": "b", "value": 2]])]),
      group("g", [["name": "h", "value": 3]]), ["name": "g", "value": ["z": 1]],
      group("g", [["name": "y", "value": 2]]),
    ],
    [group(nil, [["name": "a", "value": 1]]), ["name": "a", "value": 2], group("", [["name": "b"], ["name": "a"]])],
    [group("g", [], [("required", true)]), group("e", []), group("f", [["name": "a"]], [("required", true)])],
    [
      ["name": "e", "value": ["form": ["value": []]]],
      ["name": "f", "value": ["form": ["value": []]], "required": true],
      ["name": "g", "value": ["form": [:]]], ["name": "h", "value": ["form": 5]], ["name": "i", "value": ["a": 1]],
      ["name": "j", "value": ["form": ["value": [["name": "k", "value": 1]]]]],
    ],
    [
      ["name": "t", "type": "boolean", "value": "TRUE"], ["name": "f", "type": "boolean", "value": "false"],
      ["name": "o", "type": "boolean", "value": "odd"], ["name": "n", "type": "boolean", "value": 1],
      ["name": "p", "type": "boolean"], ["name": "m", "type": "boolean", "value": "true", "mutable": false],
      ["name": "r", "type": "boolean", "required": true],
    ],
    [
      [
        "name": "method", "required": true,
        "options": [["label": "One", "value": "sms"], ["label": "Two", "value": .null], ["label": "Three"]],
      ],
      [
        "name": "authenticator", "value": "preset",
        "options": [
          ["label": "Phone", "value": ["form": ["value": [["name": "id", "value": "a"], ["name": "methodType"]]]]],
          [
            "label": "Mail",
            "form": ["value": [["name": "id", "required": true], group("more", [["name": "x", "value": 1]])]],
          ],
        ],
      ],
      ["name": "empty", "options": [["form": ["value": []]], ["value": ["form": ["value": []]]]]],
      ["options": [["form": ["value": [["name": "in", "value": 1]]]], ["value": 5]]],
      ["name": "plain", "required": true, "value": 0], ["name": "none", "options": []],
    ],
    [
      ["name": "l", "value": [1, "b", .null]], ["name": "s", "secret": true], ["name": "q", "mutable": false], 5, "odd",
    ],
  ]
}
