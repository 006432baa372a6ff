// Which JSON the values of fields become, which values JSON becomes, and how numbers of the org are written.

import EventStore
import FlowRecording

extension IDXKind {
  static var converted: Set<String> { Set(sent + received + numbers) }

  /// A type of an application, which no field takes.
  private struct Odd: FormValue, CustomStringConvertible {
    // By itself a private type is printed with an address.
    let description = "Odd()"
    var stringValue: String { "odd" }
  }

  private static var sent: [String] {
    let small: [any FormValue] = [
      Int8.min, Int16.max, Int32.min, Int64.max, UInt.max, UInt8.max, UInt16.max, UInt32.max, UInt64.max, Int.min, 0,
    ]
    let real: [any FormValue] = [
      2.0, -0.0, 1e300, 0.1, Double.infinity, Double.nan, Float(0.1), Float(16_777_216), Float.nan, Float.infinity,
    ]
    let words: [any FormValue] = ["", "a", "true", true, false, Odd()]
    let lists: [any FormValue] = [
      [String](), ["a", ""], [1, 2], [true], [1.5, Double.nan], [Float(0.5)], [[1], [2, 3]] as [[Int]], [Odd()],
    ]
    let fields: [JSON] = [[:], ["type": "boolean"], ["type": "string"]]
    return (small + real + words + lists).enumerated().map { number, value in
      let texts = fields.map { FormValues.json(value, for: FieldReading($0))?.text ?? "-" }
      return "sent \(number)|\(value.stringValue)|\(FormValues.json(value)?.text ?? "-")|\(texts)"
    }
  }

  private static var received: [String] {
    let values: [JSON] = [
      .null, true, "", "a", 7, .number("1.5"), .number("2.0"), .number("1e400"), .number("12345678901234567890"), [],
      ["a", "b"], ["a", 1], [1, 2], [1, .number("1.5")], [true, false], [true, "true"], [[1]], [.null], [:], ["a": 1],
    ]
    return values.map { value in
      let found = FormValues.value(value)
      let flag = FieldReading.flag(value).map { "\($0)" } ?? "-"
      let again = found.flatMap { FormValues.json($0) }?.text ?? "-"
      return "received \(value.text)|\(found?.stringValue ?? "-")|\(again)|\(flag)"
    } + ["nothing|\(FormValues.value(nil)?.stringValue ?? "-")"]
  }

  private static var numbers: [String] {
    let texts = [
      "0", "-0", "7", "-7", "2.0", "2.50", "1e3", "1E3", "1.5e-7", "0.1", "1e300", "-1e300", "1e400", "-1e400",
      "9223372036854775807", "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890", "-",
    ]
    let others: [JSON] = ["5", true, .null, [], [5], [:]]
    return (texts.map { JSON.number($0) } + others).map { value in
      let refresh = FormReading(["refresh": value])?.refresh?.text ?? "-"
      return "number \(value.text)|\(WireNumber.plain(value)?.text ?? "-")|\(refresh)"
    }
  }
}
