import AuditReports
import Glibc

/// What is known about the terminal that a command prints on.
enum Terminal {
  /// The width of paragraphs: that of the terminal, else 80 columns, which a long word may exceed.
  static var width: LineWidth {
    isatty(STDOUT_FILENO) == 1 ? LineWidth(columns(of: STDOUT_FILENO)) : LineWidth(80, isStrict: false)
  }

  /// The width of tables and of rows that name a value each: that of the terminal. Elsewhere a row is one line, whole.
  static var tableWidth: LineWidth {
    isatty(STDOUT_FILENO) == 1 ? LineWidth(columns(of: STDOUT_FILENO)) : LineWidth(.max, isStrict: false)
  }

  /// The columns of the terminal that messages go to.
  static var errorWidth: Int { isatty(STDERR_FILENO) == 1 ? columns(of: STDERR_FILENO) : 80 }

  /// The columns that help is printed in.
  static var helpWidth: Int {
    isatty(STDOUT_FILENO) == 1 ? columns(of: STDOUT_FILENO) : wish ?? 80
  }

  /// The columns of a terminal: as COLUMNS says, else as the terminal does.
  private static func columns(of descriptor: Int32) -> Int {
    if let wish { return wish }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return max(20, Int(size.ws_col))
  }

  /// What COLUMNS says.
  private static var wish: Int? {
    guard let text = getenv("COLUMNS"), let columns = Int(String(cString: text)), columns > 0 else { return nil }
    return max(20, columns)
  }

  /// Colours on a terminal that shows them and a person who has not declined them (no-color.org).
  static var style: Style {
    let declined = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    let dumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    return Style(colours: isatty(STDOUT_FILENO) == 1 && !declined && !dumb)
  }

  /// Whether a person can answer on standard input.
  static var canAsk: Bool { isatty(STDIN_FILENO) == 1 }
}
