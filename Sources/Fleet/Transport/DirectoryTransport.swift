// Messages as files in a directory: on a disk that machines share, or on a stick that is carried from one to another.
//
//     <store>/<sequence, 20 digits>      a message
//     <store>/asked                      the newest question of its host
//     where/<collector>/<store>          the newest answer of a collector
package import EventStore
import Synchronization

/// A transport whose engine is a directory. If its group may write there, new files are for that group, else for the
/// owner alone. Each file is complete or absent; a message is a file that no other message can replace.
package struct DirectoryTransport: FleetTransport {
  private let root: String
  private let disk: SystemDisk
  private let seen = Seen()

  /// The questions that were seen, so that each counts once. All collectors of the directory see the same files.
  private final class Seen: Sendable {
    let bytes = Mutex<[String: [UInt8]]>([:])
  }

  /// The transport over a directory, which is made if it does not exist; its parent must exist. Throws what the disk
  /// throws.
  package init(directory: String) throws(StoreError) {
    var path = directory
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    root = path
    let isMade = try SystemDisk().makeDirectory(root)
    // A directory that was made for a group is used by several of its users: one for hosts, another for collectors.
    let entry = isMade ? nil : try SystemDisk().entry(root, followingLinks: true)
    disk = SystemDisk(sharingWithGroup: entry.map { $0.mode & 0o020 != 0 } ?? false)
    _ = try disk.names(in: root)
  }

  package func put(_ message: FleetMessage, expecting: UInt64) throws(FleetError) -> UInt64 {
    try translating { () throws(StoreError) in
      let folder = folder(of: message.store)
      if try disk.makeDirectory(folder) { try disk.syncDirectory(root) }
      guard try lastSequence(in: folder) == expecting else { return nil }
      let path = folder + "/" + Self.name(expecting + 1)
      let draft = path + ".tmp"
      try? disk.remove(draft)
      let file = try disk.open(draft, .createNew)
      try file.write(message.encoded.span, at: 0)
      try file.sync()
      do throws(StoreError) {
        try disk.link(draft, as: path)
        try disk.remove(draft)
      } catch {
        if error.code == .cannotCreate {
          try disk.remove(draft)
          return nil
        }
        // A file system without hard links, as on USB sticks: only one host writes to each folder.
        try disk.rename(draft, to: path)
      }
      try disk.syncDirectory(folder)
      return expecting + 1
    }
  }

  package func last(of store: String) throws(FleetError) -> FleetDelivery? {
    let found: FleetDelivery?? = try translating { () throws(StoreError) in
      let folder = folder(of: store)
      let last = try lastSequence(in: folder)
      guard last > 0 else { return .some(nil) }
      // An unreadable message is still the last one: it does not match what its host has.
      let bytes = try? disk.contents(of: folder + "/" + Self.name(last), limit: FleetMessage.longest + 200)
      let message =
        bytes.flatMap { FleetMessage(encoded: $0, of: store) }
        ?? FleetMessage(store: store, content: .written, place: .start, bytes: [0])
      return FleetDelivery(sequence: last, message: message)
    }
    return found ?? nil
  }

  package func read(from cursor: FleetCursor, of stores: Set<String>, limit: Int) throws(FleetError) -> FleetBatch {
    let batch: FleetBatch? = try translating { () throws(StoreError) in
      var batch = FleetBatch(deliveries: [], cursor: cursor)
      for store in stores.sorted() where FleetMessage.isStore(store) {
        let folder = folder(of: store)
        guard batch.deliveries.count < limit else { break }
        let names: [String]
        do throws(StoreError) {
          guard let found = try self.names(in: folder) else { continue }
          names = found
        } catch {
          // A fault in one host's folder does not block other hosts.
          batch.unread[store] = error.description
          continue
        }
        let sequences = names.compactMap(Self.sequence).sorted()
        // After the last message: the messages were removed, and a host begins again.
        var known = cursor.positions[store] ?? 0
        if known > sequences.last ?? known { known = 0 }
        for sequence in sequences where sequence > known {
          guard batch.deliveries.count < limit else { break }
          batch.cursor.positions[store] = sequence
          // An unreadable message is skipped: the host ships it again.
          guard let message = message(at: sequence, in: folder, of: store, &batch.unread[store]) else { continue }
          batch.deliveries.append(FleetDelivery(sequence: sequence, message: message))
        }
      }
      return batch
    }
    return batch ?? FleetBatch(deliveries: [], cursor: cursor)
  }

  private func message(
    at sequence: UInt64, in folder: String, of store: String, _ problem: inout String?
  ) -> FleetMessage? {
    do throws(StoreError) {
      let bytes = try disk.contents(of: folder + "/" + Self.name(sequence), limit: FleetMessage.longest + 200)
      return FleetMessage(encoded: bytes, of: store)
    } catch {
      if error.code == .permission { problem = error.description }
      return nil
    }
  }

  package func ask(_ question: FleetQuestion) throws(FleetError) -> [FleetAnswer] {
    let answers: [FleetAnswer]? = try translating { () throws(StoreError) in
      let folder = folder(of: question.store)
      if try disk.makeDirectory(folder) { try disk.syncDirectory(root) }
      // A number that distinguishes it from an earlier question with the same content.
      let number = JSON.number(UInt64.random(in: 0..<1 << 53))
      let bytes = JSON.members([("question", question.json), ("number", number)]).bytes
      try disk.replace(folder + "/asked", with: bytes, in: folder)
      var found: [FleetAnswer] = []
      for collector in try names(in: root + "/where") ?? [] {
        let path = root + "/where/" + collector + "/" + question.store
        guard let bytes = try? disk.contents(of: path, limit: 1 << 20), let json = try? JSON(parsing: bytes),
          let answer = FleetAnswer(json: json), answer.store == question.store
        else { continue }
        found.append(answer)
      }
      return found
    }
    return answers ?? []
  }

  package func answer(_ answers: [FleetAnswer]) throws(FleetError) {
    let done: Bool? = try translating { () throws(StoreError) in
      for answer in answers {
        let all = root + "/where"
        let folder = all + "/" + answer.collector
        _ = try disk.makeDirectory(all)
        _ = try disk.makeDirectory(folder)
        try disk.replace(folder + "/" + answer.store, with: answer.json.bytes, in: folder)
      }
      return true
    }
    _ = done
  }

  package func read(of store: String, by cursor: FleetCursor) -> UInt64 { cursor.positions[store] ?? 0 }

  package func questions(for collector: String) throws(FleetError) -> [FleetQuestion] {
    let found: [FleetQuestion]? = try translating { () throws(StoreError) in
      var questions: [FleetQuestion] = []
      for store in try disk.names(in: root) where FleetMessage.isStore(store) {
        let path = folder(of: store) + "/asked"
        guard let bytes = try? disk.contents(of: path, limit: 1 << 16), let json = try? JSON(parsing: bytes),
          let question = FleetQuestion(json: json["question"]), question.store == store,
          seen.bytes.withLock({ $0.updateValue(bytes, forKey: collector + " " + store) != bytes })
        else { continue }
        questions.append(question)
      }
      return questions
    }
    return found ?? []
  }

  private func folder(of store: String) -> String { root + "/" + store }

  private func names(in folder: String) throws(StoreError) -> [String]? {
    do throws(StoreError) {
      return try disk.names(in: folder)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  private func lastSequence(in folder: String) throws(StoreError) -> UInt64 {
    try names(in: folder)?.compactMap(Self.sequence).max() ?? 0
  }

  private static func name(_ sequence: UInt64) -> String {
    let digits = String(sequence)
    return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
  }

  private static func sequence(of name: String) -> UInt64? {
    guard name.utf8.count == 20, let sequence = UInt64(name), sequence <= 1 << 62, sequence > 0 else { return nil }
    return sequence
  }

  /// Runs a disk operation, and translates its errors; a result of nil means a wrong sequence.
  private func translating<Result>(_ body: () throws(StoreError) -> Result?) throws(FleetError) -> Result {
    do throws(StoreError) {
      guard let result = try body() else { throw StoreError(.conflict, "another message came first") }
      return result
    } catch {
      switch error.code {
      case .conflict: throw .wrongSequence
      case .noSpace: throw .full
      case .permission, .malformed, .cannotCreate: throw .refused(error)
      default: throw .unreachable(error.description)
      }
    }
  }
}
