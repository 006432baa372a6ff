import Foundation

extension Program {
  /// Runs a command line of bash without any auditctl in the path; what it says on standard error goes to standard output.
  static func shell(_ command: String, in folder: Folder) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", command]
    var environment = environment(home: folder.path)
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
      .filter { !FileManager.default.fileExists(atPath: "\($0)/auditctl") }
    environment["PATH"] = folders.joined(separator: ":")
    process.environment = environment
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let path = try folder.write("", to: "output-of-shell")
    process.standardOutput = FileHandle(forWritingAtPath: path)
    process.standardError = process.standardOutput
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Run(
      code: process.terminationStatus, output: try String(contentsOfFile: path, encoding: .utf8), errors: "")
  }
}
