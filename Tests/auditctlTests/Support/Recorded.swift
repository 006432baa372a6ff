// A store with sign-ins in it, made once by the demo and read by many tests.

import EventStore
import Foundation
import Testing

/// The demo, run once.
struct Recorded: Sendable {
  let folder: Folder
  let demo: String
  let code: Int32
  let errors: String

  var store: String { folder("audit") }
  var publicKey: String { folder("audit.pub") }

  private static let result = Result { () throws -> Recorded in
    let folder = try Folder()
    let run = try Program.run(
      ["demo", "--store", folder("audit"), "--signing-key", folder("audit.key")], in: folder)
    return Recorded(folder: folder, demo: run.output, code: run.code, errors: run.errors)
  }

  /// The demo's store; read only.
  static func once() throws -> Recorded { try result.get() }

  /// A copy of the store that a test may damage.
  func copy(into folder: Folder) throws -> String {
    try FileManager.default.copyItem(atPath: store, toPath: folder("copy"))
    return folder("copy")
  }

  /// Runs a command on the store.
  func run(_ arguments: String..., folder: Folder? = nil) throws -> Run {
    try Program.run(arguments + ["--store", store], in: folder ?? self.folder)
  }

  /// The flows, as `flows --json` has them.
  func flows() throws -> [JSON] {
    try run("flows", "--json").lines.map { try JSON(parsing: Array($0.utf8)) }
  }

  /// The flow of a user.
  func flow(of user: String) throws -> String {
    try #require(try flows().first { $0["user"]?.string == user }?["flow"]?.string)
  }
}

extension JSON {
  /// The names of an object's members, in order.
  var keys: [String] { object?.members.map(\.key) ?? [] }
}
