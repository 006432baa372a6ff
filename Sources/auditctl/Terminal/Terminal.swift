import AuditReports
import Glibc

/// What is known of the terminal that a command prints on.
enum Terminal {
  /// Columns to print in: those of the terminal where there is one, else 80.
  static var width: Int { width(of: STDOUT_FILENO) }

  /// The same of the terminal that messages go to.
  static var errorWidth: Int { width(of: STDERR_FILENO) }

  private static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40 else { return 80 }
    return Int(size.ws_col)
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
