/// HTML that is safe to send: text that is put into it is escaped, unless it is HTML already.
///
/// ```swift
/// let greeting: HTML = "<p>Hello, \(name)</p>"      // a name of "<b>" comes out as "&lt;b&gt;"
/// ```
///
/// The compiler does the work: a `String` cannot get into a page in any other way.
struct HTML: Sendable, ExpressibleByStringInterpolation {
  private(set) var source: String

  init(stringLiteral source: StaticString) { self.source = "\(source)" }
  init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var source = ""

    init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity) }

    /// What stands in this program's source is trusted.
    mutating func appendLiteral(_ literal: StaticString) { source += "\(literal)" }

    /// Everything else is not, whether it comes from the org or from a browser.
    mutating func appendInterpolation(_ text: String) {
      for character in text.unicodeScalars {
        switch character {
        case "&": source += "&amp;"
        case "<": source += "&lt;"
        case ">": source += "&gt;"
        case "\"": source += "&quot;"
        case "'": source += "&#39;"
        default: source.unicodeScalars.append(character)
        }
      }
    }

    mutating func appendInterpolation(_ number: Int) { source += String(number) }
    mutating func appendInterpolation(_ html: HTML) { source += html.source }
    mutating func appendInterpolation(_ list: [HTML]) { for html in list { source += html.source } }
    mutating func appendInterpolation(_ html: HTML?) { source += html?.source ?? "" }

    /// An attribute without a value, such as `required`, if the condition holds.
    mutating func appendInterpolation(_ attribute: StaticString, if condition: Bool) {
      if condition { source += " \(attribute)" }
    }
  }
}
