import Foundation
import Testing

/// Top-level code of a `main.swift`: it gets results, or the compiler says what to write.
///
/// The compiler looks for calls at the top level as if no `await` stood before them. So it prefers the form of a call
/// that takes no closure and returns nothing: `let token = try await response.exchangeCode()` would be `()`.
@Suite struct TopLevelTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardizedFileURL

  /// The folder of built programs, beside the test bundle.
  private static let products: URL? = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    for path in [own] + CommandLine.arguments + Bundle.allBundles.map(\.bundlePath) {
      var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      for _ in 0..<4 {
        let program = folder.appendingPathComponent("top-level-idx-6").path
        if FileManager.default.isExecutableFile(atPath: program) { return folder }
        folder.deleteLastPathComponent()
      }
    }
    return nil
  }()

  /// Runs a program on a thread of its own, so that it keeps no task from its work.
  private func run(_ program: String, _ arguments: [String] = []) async throws -> (code: Int32, output: String) {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: data, as: UTF8.self))
          })
      }
    }
  }

  @Test(
    "a program without functions signs in, in both language modes", arguments: ["top-level-idx-5", "top-level-idx-6"])
  func program(name: String) async throws {
    let folder = try #require(Self.products)
    let result = try await run(folder.appendingPathComponent(name).path)
    #expect(result.code == 0)
    #expect(
      result.output.split(separator: "\n").map(String.init) == [
        "start: identify", "cancel: identify", "resume: identify", "proceed: challenge-authenticator",
        "recover: authenticator-verification-data", "exchangeCode(redirect:): invalidContext",
        "resend: challenge-authenticator 2", "successful: true", "exchangeCode: Bearer",
        "resume with a closure: invalidContext", "exchangeCode with two values: true invalidContext",
        "finish: invalidContext",
      ], "\(result.output)")
  }

  @Test("the programs of both language modes are one and the same")
  func same() throws {
    let texts = try ["5", "6"].map { mode in
      try String(contentsOf: Self.root.appendingPathComponent("Tests/TopLevelIDX\(mode)/main.swift"), encoding: .utf8)
    }
    #expect(texts[0] == texts[1])
  }

  /// Where the modules of the package's own C code are described: in their folders, or where they are built.
  private static func moduleMaps(below products: String) -> [String] {
    func maps(in folder: String, _ paths: [String]) -> [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().compactMap { name in
        paths.map { "\(folder)/\(name)/\($0)" }.first { FileManager.default.fileExists(atPath: $0) }
      }
    }
    return maps(in: "\(root.path)/Sources", ["module.modulemap", "include/module.modulemap"])
      + maps(in: products, ["module.modulemap"]).filter { $0.hasSuffix(".build/module.modulemap") }
  }

  /// Calls whose results have no type, at the top level.
  private static let untyped = [
    "let a = try await response.cancel()", "let b = try await response.exchangeCode()",
    "let c = try await response.remediations[0].proceed()",
    "let d = try await response.authenticators[0].sendable!.send()",
    "let e = try await response.authenticators[0].resendable!.resend()",
    "let f = try await response.authenticators[0].recoverable!.recover()",
    "let g = try await response.authenticators[0].pollable!.startPolling()", "let h = try await flow.resume()",
    "let i = try await flow.exchangeCode(redirect: flow.redirectUri)",
  ]

  @Test("the compiler says where the type of a result is missing", arguments: ["5", "6"])
  func compiler(mode: String) async throws {
    let products = try #require(Self.products).path
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("main.swift")
    let head = ["import IDX", "let flow = try InteractionCodeFlow()", "let response = try await flow.start()"]
    try (head + Self.untyped).joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    let maps = Self.moduleMaps(below: products).flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    let result = try await run(
      "/usr/bin/env",
      ["swiftc", "-typecheck", "-swift-version", mode, "-I", "\(products)/Modules"] + maps + [file.path])
    #expect((result.code != 0) == (mode == "6"), "\(result.output)")
    let advice = "is unavailable from asynchronous contexts; in top-level code write the type: let "
    let told = result.output.split(separator: "\n").filter { $0.contains("main.swift:") && $0.contains(advice) }
    #expect(told.count == Self.untyped.count, "\(result.output)")
  }
}
