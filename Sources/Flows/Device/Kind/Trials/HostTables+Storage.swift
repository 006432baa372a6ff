// Operations on enrollments, policies, devices, and transactions that are kept in memory.

import EventStore
import FlowRecording

extension HostTables {
  private enum Step {
    case save(StoredEnrollment)
    case find(String)
    case update(String)
    case delete(String)
    case policy(StoredPolicy)
    case device(StoredDevice)
    case excerpt(String?, String?, String?)
    case claim(StoredTransaction, Double)
    case note(StoredTransaction)
    case replace(StoredTransaction, StoredTransaction?)
    case fail(StorageFailure?)
  }

  private static func perform(_ step: Step, _ storage: MemoryEnrollmentStorage) throws(StorageFailure) -> String {
    switch step {
    case .save(let enrollment): try storage.save(enrollment)
    case .find(let id): return try storage.enrollment(id: id)?.json.text ?? "none"
    case .update(let id):
      let changed = try storage.update(enrollment: id) { $0.userName = "changed" }
      return changed?.json.text ?? "none"
    case .delete(let id): return show(try storage.delete(enrollment: id))
    case .policy(let policy): try storage.save(policy)
    case .device(let device): try storage.save(device)
    case .excerpt(let id, let org, let transaction):
      return show(try storage.excerpt(enrollment: id, orgID: org, transaction: transaction))
    case .claim(let transaction, let now): return show(try storage.claim(transaction, now: now))
    case .note(let transaction): try storage.save(transaction)
    case .replace(let known, let next):
      let isReplaced = try storage.replace(known, with: next)
      return "\(isReplaced)"
    case .fail(let failure): storage.fail(with: failure)
    }
    return "done"
  }

  private static func show(_ deleted: DeletedEnrollment?) -> String {
    guard let deleted else { return "none" }
    let (enrollment, device) = (deleted.enrollment, deleted.device?.json.text ?? "-")
    return "\(enrollment.id) \(enrollment.orgID) \(device) \(deleted.orphanedTags)"
  }

  private static func show(_ excerpt: StorageExcerpt) -> String {
    let parts = [excerpt.enrollment?.json.text, excerpt.device?.json.text, excerpt.policy?.json.text]
    return parts.map { $0 ?? "-" }.joined(separator: " ") + " " + show(excerpt.transaction)
  }

  /// Everything that is stored about two orgs and two transactions.
  private static func contents(_ storage: MemoryEnrollmentStorage) -> String {
    let enrollments = ((try? storage.enrollments()) ?? []).map { "\($0.id)@\($0.orgID) \($0.userName ?? "-")" }
    let orgs = ["00o-1", "00o-2"].map { org in
      let policy = (try? storage.policy(orgID: org))?.id ?? "-"
      let device = (try? storage.device(orgID: org))?.clientInstanceTag ?? "-"
      return "\(policy) \(device)"
    }
    let transactions = ["ft-1", "ft-2"].map { id in (try? storage.transaction(id: id)).map { show($0) } ?? "-" }
    return "\(enrollments) \(orgs) \(transactions)"
  }

  private static func lines(_ steps: [(String, Step)]) -> [String] {
    let storage = MemoryEnrollmentStorage()
    return steps.map { name, step -> String in
      let result: String
      do throws(StorageFailure) {
        result = try perform(step, storage)
      } catch {
        result = show(error)
      }
      return line(name, "\(result) | \(contents(storage))")
    }
  }

  private static func enrollment(
    _ id: String, of org: String, _ tags: [String?], name: String? = "ann"
  ) -> StoredEnrollment {
    StoredEnrollment(
      id: id, orgID: org, orgURL: "https://\(org).example", userID: "00u", userName: name, deviceID: "guo",
      proofOfPossessionTag: tags[0], userVerificationTag: tags[1], bioOrPinTag: tags[2])
  }

  private static func device(of org: String, _ tag: String) -> StoredDevice {
    StoredDevice(orgID: org, id: "guo", clientInstanceID: "instance", clientInstanceTag: tag)
  }

  /// Enrollments and the records of their orgs.
  static var storage: [String] {
    let (one, two, three) = (
      enrollment("pfd-1", of: "00o-1", ["p1", "u1", "b1"]), enrollment("pfd-2", of: "00o-1", ["p2", "u1", nil]),
      enrollment("pfd-1", of: "00o-2", ["p3", "p3", nil])
    )
    let steps: [(String, Step)] = [
      ("empty", .find("pfd-1")), ("update none", .update("pfd-1")), ("delete none", .delete("pfd-1")),
      ("one", .save(one)), ("two", .save(two)), ("three", .save(three)),
      ("one again", .save(enrollment("pfd-1", of: "00o-1", ["p1", "u1", "b1"], name: nil))), ("find", .find("pfd-1")),
      ("find two", .find("pfd-2")), ("update", .update("pfd-1")), ("update two", .update("pfd-2")),
      ("policy", .policy(StoredPolicy(orgID: "00o-1", id: "old", clientID: "c", content: HostSamples.policy))),
      ("policy again", .policy(StoredPolicy(orgID: "00o-1", id: "new", clientID: "c", content: [:]))),
      ("device", .device(device(of: "00o-1", "old"))), ("device again", .device(device(of: "00o-1", "d1"))),
      ("device of two", .device(device(of: "00o-2", "d2"))), ("claim", .claim(HostSamples.transaction(), 0)),
      ("nothing", .excerpt(nil, nil, nil)), ("enrollment", .excerpt("pfd-2", nil, nil)),
      ("org", .excerpt(nil, "00o-2", "ft-2")), ("both", .excerpt("pfd-1", "00o-2", "ft-1")),
      ("unknown", .excerpt("pfd-9", nil, "ft-1")), ("unknown org", .excerpt("pfd-1", "00o-9", nil)),
      ("delete two", .delete("pfd-2")), ("delete one", .delete("pfd-1")), ("delete three", .delete("pfd-1")),
      ("again", .delete("pfd-1")), ("gone", .find("pfd-1")), ("broken", .fail(.directory(path: "p", reason: "r"))),
      ("broken save", .save(one)), ("broken find", .find("pfd-1")),
      ("broken claim", .claim(HostSamples.transaction(), 0)),
      ("whole", .fail(nil)), ("save", .save(one)),
    ]
    return lines(steps) + orphans
  }

  /// The keys that are no longer referenced.
  private static var orphans: [String] {
    let gone = enrollment("pfd-1", of: "00o-1", ["p", "u", "p"])
    let others: [[StoredEnrollment]] = [
      [], [enrollment("pfd-2", of: "00o-1", ["q", nil, nil])], [enrollment("pfd-2", of: "00o-2", ["q", "u", "d"])],
      [enrollment("pfd-2", of: "00o-1", ["d", "p", "u"])],
    ]
    let devices: [StoredDevice?] = [nil, device(of: "00o-1", "d"), device(of: "00o-1", "u")]
    let elsewhere: [[StoredDevice]] = [[], [device(of: "00o-2", "d")], [device(of: "00o-2", "p")]]
    return others.enumerated().flatMap { number, others in
      devices.flatMap { device in
        elsewhere.map { more -> String in
          let deleted = DeletedEnrollment(gone, others: others, device: device, otherDevices: more)
          let tags = [device?.clientInstanceTag ?? "-"] + more.map(\.clientInstanceTag)
          return line("orphans \(number) \(tags)", show(deleted))
        }
      }
    }
  }

  /// The stages of transactions, and which stage can follow which.
  static var transactions: [String] {
    let (asked, signed) = (HostSamples.transaction(), HostSamples.transaction(.signed, response: "jwt"))
    let ended = HostSamples.transaction(.ended, response: "jwt")
    let other = HostSamples.transaction(.signed, response: "other")
    var foreign = HostSamples.transaction(.signed, response: "jwt")
    foreign.enrollmentID = "pfd-2"
    let all = [
      asked, signed, ended, other, foreign, HostSamples.transaction(.asked, fingerprint: "print-2"),
      HostSamples.transaction(.signed, id: "ft-2", response: "jwt"),
    ]
    let pairs = all.enumerated().flatMap { number, known in
      all.enumerated().map { place, next -> String in
        let storage = MemoryEnrollmentStorage()
        let steps: [Step] = [.note(known), .note(next), .replace(known, next)]
        let said = steps.map { step -> String in
          do throws(StorageFailure) { return try perform(step, storage) } catch { return show(error) }
        }
        return line("\(number) then \(place)", "\(said) \(next.isStill(known)) | \(contents(storage))")
      }
    }
    let steps: [(String, Step)] = [
      ("claim", .claim(asked, 100)), ("again", .claim(signed, 0)), ("at its end", .claim(signed, 100)),
      ("over", .claim(HostSamples.transaction(id: "ft-2", expiry: 200), 100.5)), ("anew", .claim(ended, 150)),
      ("replace none", .replace(HostSamples.transaction(id: "ft-9"), asked)), ("not so", .replace(asked, signed)),
      ("release", .replace(ended, nil)), ("claim", .claim(asked, 50)), ("take over", .replace(asked, signed)),
      ("back", .replace(signed, asked)), ("end", .replace(signed, ended)), ("ended", .note(ended)),
      ("past", .note(HostSamples.transaction(id: "ft-3", expiry: 1))), ("forget", .claim(asked, 1_000)),
    ]
    return pairs + lines(steps) + [asked, signed, ended].map { line($0.description, show($0.kept)) }
  }
}
