// One line of the report, as it is printed and as JSON.
import Foundation

/// A figure: values of some rounds, held against an aim.
struct Figure: Encodable {
  /// How the values have to stand to the bound.
  enum Bound: Encodable {
    case atLeast(Double)
    case atMost(Double)
    /// Reported, and held against nothing.
    case none

    func holds(_ value: Double) -> Bool? {
      switch self {
      case .atLeast(let bound): value >= bound
      case .atMost(let bound): value <= bound
      case .none: nil
      }
    }

    var text: String {
      switch self {
      case .atLeast(let bound): ">= " + Figure.short(bound)
      case .atMost(let bound): "<= " + Figure.short(bound)
      case .none: ""
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if case .none = self { try container.encodeNil() } else { try container.encode(text) }
    }
  }

  /// The name of the measurement.
  var name: String
  /// The values of the rounds, ascending.
  var values: [Double]
  /// `x` for a ratio to the peer of the same round.
  var unit: String
  /// What the issue asks for.
  var bound: Bound
  /// What stands behind it: both sides in their own units, and the clock.
  var remark: String

  init(_ name: String, _ values: [Double], _ unit: String, _ bound: Bound = .none, _ remark: String = "") {
    self.name = name
    self.values = values.sorted()
    self.unit = unit
    self.bound = bound
    self.remark = remark
  }

  var minimum: Double { values.first ?? 0 }
  var median: Double { values.isEmpty ? 0 : values[values.count / 2] }
  var maximum: Double { values.last ?? 0 }
  /// Whether the median holds.
  var isMet: Bool? { bound.holds(median) }

  private enum Key: CodingKey { case name, min, median, max, rounds, unit, bound, met, remark }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try container.encode(minimum, forKey: .min)
    try container.encode(median, forKey: .median)
    try container.encode(maximum, forKey: .max)
    try container.encode(values.count, forKey: .rounds)
    try container.encode(unit, forKey: .unit)
    try container.encode(bound, forKey: .bound)
    try container.encode(isMet, forKey: .met)
    try container.encode(remark, forKey: .remark)
  }

  /// Three digits that count.
  static func short(_ value: Double) -> String {
    switch abs(value) {
    case 1000...: String(format: "%.0f", value)
    case 100...: String(format: "%.0f", value)
    case 10...: String(format: "%.1f", value)
    case 1...: String(format: "%.2f", value)
    default: String(format: "%.3f", value)
    }
  }

  static let heading =
    "figure".padded(35) + "min".ended(7) + "median".ended(8) + "max".ended(8) + " unit".padded(7) + " aim".padded(10)
    + "met"

  /// At most 80 columns.
  var row: String {
    let figures = Self.short(minimum).ended(7) + Self.short(median).ended(8) + Self.short(maximum).ended(8)
    let met = isMet.map { $0 ? "yes" : "NO" } ?? ""
    return name.padded(35) + figures + (" " + unit).padded(7) + (" " + bound.text).padded(10) + met
  }
}

extension String {
  func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  func ended(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension [Double] {
  var median: Double { isEmpty ? 0 : sorted()[count / 2] }
  /// The value under which `share` of all lie.
  func quantile(_ share: Double) -> Double { isEmpty ? 0 : sorted()[Swift.min(count - 1, Int(Double(count) * share))] }
}
