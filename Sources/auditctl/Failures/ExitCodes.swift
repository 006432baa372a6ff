import ArgumentParser

/// Exit codes to throw, for files that know nothing of arguments.
enum ExitCodes {
  /// Something was found, and what it is has been printed.
  static var finding: ExitCode { ExitCode(ExitStatus.finding.rawValue) }
}
