import EventStore
import Foundation
import Glibc
import SimulatedOrg
import Testing

@Suite struct SimulateTests {
  @Test("the first line is the URL, sign-ins work, Ctrl-C ends it with 130")
  func simulate() throws {
    let folder = try Folder()
    let users = #"[{"login":"zoe@acme.example","password":"Right-horse-7","factors":[{"type":"push"}]}]"#
    let file = try folder.write(users, to: "users.json")
    let org = try Simulating(["--users", file, "--approve-after", "1"])
    let signIn = try Program.run(
      [
        "sign-in", "--org", org.url, "--username", "zoe@acme.example", "--store", folder("audit"), "--poll-interval",
        "1",
      ],
      input: "Right-horse-7\n", in: folder)
    #expect(signIn.code == 0, "\(signIn.errors)")
    kill(org.process.processIdentifier, SIGINT)
    org.process.waitUntilExit()
    #expect(org.process.terminationReason == .exit && org.process.terminationStatus == 130)
  }

  @Test("the help lists the policies, and any other policy is refused")
  func policies() throws {
    let folder = try Folder()
    let help = try Program.run(["help", "simulate"], in: folder)
    // Every line fits, so that no terminal of 80 columns breaks one; what goes on does so under its column.
    #expect(help.lines.filter { $0.count > 80 && !$0.hasPrefix("USAGE") } == [])
    let lines = help.lines
    let column = (OrgPolicy.named.map(\.name.count).max() ?? 0) + 4
    for policy in OrgPolicy.named {
      let start = try #require(lines.firstIndex { $0.hasPrefix("  \(policy.name) ") }, "\(policy.name)")
      let rest = lines[(start + 1)...].prefix { $0.hasPrefix(String(repeating: " ", count: column)) }
      let summary = ([lines[start]] + rest).map { $0.dropFirst(column) }.joined(separator: " ")
      #expect(summary == policy.summary, "\(policy.name)")
    }
    let run = try Program.run(["simulate", "--policy", "none"], in: folder)
    #expect(run.code == 64, "\(run.errors)")
    #expect(run.errors.contains("there is no policy none"))
  }

  @Test("the help says that each client of a recorded org has its own place, and when clients must take turns")
  func turns() throws {
    let help = try Program.run(["help", "simulate"], in: Folder())
    let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Each client has its own place in the recording"), "\(help)")
    #expect(words.contains("clients do not send cookies, let one sign in after the other"), "\(help)")
  }

  @Test("a port that is taken: 73")
  func taken() throws {
    let folder = try Folder()
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> UInt16 in
        guard bind(descriptor, raw, length) == 0, listen(descriptor, 1) == 0 else { return 0 }
        getsockname(descriptor, raw, &length)
        return UnsafeRawPointer(raw).assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port.bigEndian
      }
    }
    try #require(port != 0)
    let run = try Program.run(["simulate", "--port", String(port)], in: folder)
    #expect(run.code == 73, "\(run.errors)")
    #expect(run.errors.contains(String(port)))
  }

  @Test("a company's log is put back to an older copy: verify finds it by what was noted, and by the state of then")
  func rolledBack() throws {
    let folder = try Folder()
    let simulate = ["simulate", "--company", "--flows", "300", "--json"]
    let run = try Program.run(simulate + ["--store", "host/", "--rolled-back", "noted"], in: folder)
    let document = try JSON(parsing: Array(run.output.utf8))
    let rollback = document["incidents"]?.array?.last
    #expect(rollback?["kind"]?.string == "rollback" && document["flows"]?.int == 297, "\(run)")
    #expect((rollback?["rollback"]?["from"]?.int ?? 0) < (rollback?["rollback"]?["to"]?.int ?? 0))
    let verify = ["verify", "--store", "host", "--public-key", "noted/log.pub"]
    #expect(try Program.run(verify, in: folder).code == 0)
    #expect(try Program.run(verify + ["--checkpoint", "noted/checkpoint.txt"], in: folder).code == 22)
    // A file of the same note that verify itself would have kept. It stays as it is.
    try FileManager.default.copyItem(atPath: folder("noted/checkpoint.txt"), toPath: folder("seen"))
    #expect(try Program.run(verify + ["--state", "seen"], in: folder).code == 22)
    #expect(FileManager.default.contentsEqual(atPath: folder("noted/checkpoint.txt"), andPath: folder("seen")))
    // What is there already is not put back.
    for options in [["--store", "host", "--rolled-back", "new"], ["--store", "new", "--rolled-back", "noted"]] {
      let refused = try Program.run(simulate + options, in: folder)
      #expect(refused.code == 73 && refused.errors.contains("is there already"), "\(refused)")
    }
    #expect(try Program.run(["simulate", "--rolled-back", "new"], in: folder).code == 64)
  }
}
