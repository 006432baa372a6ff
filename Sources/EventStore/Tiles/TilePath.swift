// Where tiles stand (https://c2sp.org/tlog-tiles): `tile/<level>/<index>[.p/<width>]`, `tile/entries/<index>[.p/<width>]`.

/// The path of a tile, relative to the log's prefix.
enum TilePath {
  /// How many hashes, or entries, a whole tile has.
  static let width = 256

  /// The path of the tile `index` of a level; nil is the level of the entries. `count` is how many it has, at most 256.
  static func path(level: Int?, index: UInt64, count: Int) -> String {
    let whole = "tile/\(level.map(String.init) ?? "entries")/\(encoded(index))"
    return count == width ? whole : "\(whole).p/\(count)"
  }

  /// An index in elements of three digits, all but the last after an `x`: 1234067 is `x001/x234/067`.
  static func encoded(_ index: UInt64) -> String {
    var rest = index
    var text = digits(rest % 1_000)
    while rest >= 1_000 {
      rest /= 1_000
      text = "x" + digits(rest % 1_000) + "/" + text
    }
    return text
  }

  private static func digits(_ number: UInt64) -> String {
    let text = String(number)
    return String(repeating: "0", count: 3 - text.count) + text
  }
}
