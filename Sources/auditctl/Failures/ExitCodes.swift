import ArgumentParser

/// Exit codes to throw, for files that knows nothing about arguments.
enum ExitCodes {
  /// Something was found and has been printed.
  static var finding: ExitCode { ExitCode(ExitStatus.finding.rawValue) }
  /// A signal ended the command.
  static var interrupted: ExitCode { ExitCode(ExitStatus.interrupted.rawValue) }
}
