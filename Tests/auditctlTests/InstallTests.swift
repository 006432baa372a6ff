import Foundation
import Testing

/// `make install` and `make uninstall`: the scripts behind them, with the built command, into a directory of the test.
@Suite struct InstallTests {
  private let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../scripts").standardizedFileURL.path
  private let link = "../libexec/flowrecorder/auditctl"

  @Test("the command, a man page for each subcommand and completions are installed, and nothing of it stays")
  func installAndUninstall() throws {
    let folder = try Folder()
    try stage(in: folder)
    let installed = try script("install.sh stage \(folder("prefix"))", in: folder)
    #expect(installed.code == 0, "\(installed.output)")
    let files = try files(in: folder("prefix"))
    let commands = try Program.run(["help"], in: folder).lines.drop { !$0.hasPrefix("SUBCOMMANDS") }
      .compactMap { $0.firstMatch(of: /^[ ]{2}([a-z][a-z-]*)[ ]/).map { String($0.output.1) } }
    #expect(commands.count >= 20)
    for command in commands where command != "help" {
      #expect(files.contains("share/man/man1/flow-auditctl-\(command).1"))
    }
    for file in [
      "libexec/flowrecorder/auditctl", "bin/flow-auditctl", "share/man/man1/flow-auditctl.1",
      "share/bash-completion/completions/flow-auditctl", "share/zsh/site-functions/_flow-auditctl",
      "share/fish/vendor_completions.d/flow-auditctl.fish",
    ] { #expect(files.contains(file)) }
    let run = try Program.shell("prefix/bin/flow-auditctl --version", in: folder)
    #expect(run.code == 0)

    let removed = try script("uninstall.sh \(folder("prefix"))", in: folder)
    #expect(removed.code == 0, "\(removed.output)")
    #expect(!FileManager.default.fileExists(atPath: folder("prefix")))
  }

  @Test("what others put under the prefix stays, and so do its directories; the installed script removes as well")
  func foreignFiles() throws {
    let folder = try Folder()
    try smallStage(in: folder)
    let make = "mkdir -p prefix/share/man/man1 prefix/empty && echo theirs >prefix/share/man/man1/other.1"
    #expect(try Program.shell(make, in: folder).code == 0)
    #expect(try script("install.sh stage \(folder("prefix"))", in: folder).code == 0)
    // Installing again replaces, and does not forget which directories it made.
    #expect(try script("install.sh stage \(folder("prefix"))", in: folder).code == 0)
    #expect(try Program.shell("echo theirs >prefix/bin/other", in: folder).code == 0)
    let removed = try Program.shell("prefix/libexec/flowrecorder/uninstall.sh", in: folder)
    #expect(removed.code == 0, "\(removed.output)")
    #expect(
      try files(in: folder("prefix")) == [
        "bin", "bin/other", "empty", "share", "share/man", "share/man/man1", "share/man/man1/other.1",
      ])
    #expect(try Program.shell("prefix/libexec/flowrecorder/uninstall.sh", in: folder).code != 0)
    #expect(try script("uninstall.sh \(folder("prefix"))", in: folder).code == 1)
  }

  @Test("another auditctl is never replaced, in the prefix or in the path")
  func linuxAudit() throws {
    let folder = try Folder()
    try smallStage(in: folder)
    let make =
      "mkdir -p prefix/bin elsewhere && echo theirs | tee prefix/bin/auditctl >elsewhere/auditctl && chmod +x */auditctl */*/auditctl"
    #expect(try Program.shell(make, in: folder).code == 0)
    let beside = try script("install.sh stage \(folder("prefix"))", in: folder)
    #expect(beside.output.contains("left alone: \(folder("prefix"))/bin/auditctl is another auditctl"))
    #expect(try String(contentsOfFile: folder("prefix/bin/auditctl"), encoding: .utf8) == "theirs\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder("prefix/bin/flow-auditctl")) == link)
    #expect(try !files(in: folder("prefix")).contains("share/man/man1/auditctl.1"))
    #expect(try script("uninstall.sh \(folder("prefix"))", in: folder).code == 0)
    #expect(try files(in: folder("prefix")) == ["bin", "bin/auditctl"])

    let inPath = try script("install.sh stage \(folder("second"))", in: folder, path: folder("elsewhere"))
    #expect(inPath.output.contains("left alone: \(folder("elsewhere"))/auditctl is another auditctl"))
    #expect(try !files(in: folder("second")).contains("bin/auditctl"))
  }

  @Test("DESTDIR stands before the prefix and in nothing that is installed")
  func destination() throws {
    let folder = try Folder()
    try smallStage(in: folder)
    let installed = try Program.shell("DESTDIR=$PWD/root '\(scripts)/install.sh' stage /usr", in: folder)
    #expect(installed.code == 0)
    #expect(try files(in: folder("root")).contains("usr/libexec/flowrecorder/auditctl"))
    #expect(try Program.shell("grep -rlF \"$PWD\" root", in: folder).output == "")
    #expect(try Program.shell("DESTDIR=$PWD/root '\(scripts)/uninstall.sh' /usr", in: folder).code == 0)
    #expect(try files(in: folder("root")) == [])
    #expect(try script("install.sh stage relative", in: folder).code == 64)
  }

  @Test("a list that was changed leads to no file outside the prefix")
  func changedList() throws {
    let folder = try Folder()
    let make = """
      mkdir -p prefix/libexec/flowrecorder && echo kept >kept
      printf 'file ../kept\\nfile %s/kept\\ndirectory ..\\n' "$PWD" >prefix/libexec/flowrecorder/manifest
      """
    #expect(try Program.shell(make, in: folder).code == 0)
    _ = try script("uninstall.sh \(folder("prefix"))", in: folder)
    #expect(try String(contentsOfFile: folder("kept"), encoding: .utf8) == "kept\n")
  }

  // MARK: Support

  /// Prepares what is installed. The command is a script that calls the built one, which has 50 MB of symbols.
  private func stage(in folder: Folder) throws {
    let command = "#!/bin/sh\nexec '\(Program.binary)' \"$@\"\n"
    _ = try folder.write(command, to: "auditctl-under-test")
    let run = try Program.shell(
      """
      mkdir -p tools && printf '#!/bin/sh\\ncp "$3" "$2"\\n' >tools/strip
      chmod +x auditctl-under-test tools/strip
      PATH=$PWD/tools:$PATH '\(scripts)/stage.sh' ./auditctl-under-test stage
      """, in: folder)
    try #require(run.code == 0, "\(run.output)")
  }

  /// The shape of what `stage.sh` prepares, without its content.
  private func smallStage(in folder: Folder) throws {
    let run = try Program.shell(
      """
      mkdir -p stage/man stage/completions && echo command >stage/auditctl && chmod +x stage/auditctl
      for page in flow-auditctl flow-auditctl-show; do echo page >stage/man/$page.1; done
      for shell in bash zsh fish; do
        for name in auditctl flow-auditctl; do echo completion >stage/completions/$name.$shell; done
      done
      """, in: folder)
    try #require(run.code == 0, "\(run.output)")
  }

  private func script(_ command: String, in folder: Folder, path: String? = nil) throws -> Run {
    let before = path.map { "PATH=\($0):$PATH " } ?? ""
    return try Program.shell("\(before)\(scripts)/\(command)", in: folder)
  }

  /// All that is below a folder, by relative path.
  private func files(in path: String) throws -> [String] {
    (try FileManager.default.subpathsOfDirectory(atPath: path)).sorted()
  }
}
