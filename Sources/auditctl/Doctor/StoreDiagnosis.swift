// What is wrong with one store. It is only read; its contents are judged as by `auditctl verify`.

import EventStore
import FlowRecording
import Foundation
import Glibc

/// Looks at a store.
struct StoreDiagnosis {
  private let log: LogReader
  private let key: String?

  /// A look at the store of a reader; `key` is the file of the signing key, nil for the usual place.
  init(_ log: LogReader, key: String?) { (self.log, self.key) = (log, key) }

  /// All checks of a store's directory; one of what kept it from being opened.
  static func run(_ directory: String, key: String?) -> [Diagnosis] {
    do throws(StoreError) {
      return StoreDiagnosis(try LogReader(directory: directory), key: key).checks()
    } catch {
      return [Diagnosis("store", error)]
    }
  }

  private func checks() -> [Diagnosis] {
    var found = [space]
    do throws(StoreError) {
      let condition = try log.condition()
      found += [permissions(condition), writing, writer(condition), leftovers(condition), tail(condition)]
    } catch {
      found.append(Diagnosis("store", error))
    }
    return found + contents + [verified, signingKey]
  }

  private func permissions(_ condition: StoreCondition) -> Diagnosis {
    if let path = condition.foreign.first {
      return Diagnosis(
        "permissions", .problem,
        "\(path) belongs to another user, or others may write to it; no writer opens the store",
        advice: "run chown -R and chmod -R go-w on \(log.directory)")
    }
    if let place = condition.exposed.first {
      // Through the root alone others come to what is in it.
      let isReached = FileMode(of: log.directory).map { $0.permissions & 0o077 != 0 } ?? true
      return Diagnosis(
        "permissions", isReached ? .problem : .notice,
        "\(place.path) is open to other users (mode \(String(place.mode, radix: 8)))",
        advice: "run chmod 700 on it: the log says who signed in")
    }
    if let path = condition.unlisted.first {
      return Diagnosis(
        "permissions", .notice, "\(path) cannot be listed by this user; readers go on without it",
        advice: "run chmod 700 on it")
    }
    return Diagnosis("permissions", .ok, "the store is for its owner alone")
  }

  /// Whether this user's programs can write to the store: to its folders, its lock and the segment that is appended to.
  private var writing: Diagnosis {
    let segments = log.directory + "/segments"
    let last = (try? FileManager.default.contentsOfDirectory(atPath: segments))?.max().map { segments + "/" + $0 }
    let places = [log.directory, segments, log.directory + "/LOCK"] + (last.map { [$0] } ?? [])
    for path in places where access(path, W_OK) != 0 && errno != ENOENT {
      let reason = String(cString: strerror(errno))
      return Diagnosis(
        "writing", .problem, "\(path) cannot be written to by this user (\(reason)); no recorder opens the store",
        advice: "make it writable for its owner (chmod u+w), or run the program as the store's owner")
    }
    return Diagnosis("writing", .ok, "this user can write to it")
  }

  private func writer(_ condition: StoreCondition) -> Diagnosis {
    guard condition.isHeld else { return Diagnosis("writer", .ok, "no program has the store open for writing") }
    return Diagnosis(
      "writer", .notice, "process \(condition.holder ?? "unknown") has the store open for writing",
      advice: "nothing, if it is your application; until it ends, commands that write exit at once with 75")
  }

  private func leftovers(_ condition: StoreCondition) -> Diagnosis {
    guard let count = condition.quarantined else {
      return Diagnosis("quarantine", .notice, "it cannot be listed, so it is not known if a write was cut short")
    }
    guard count > 0 else { return Diagnosis("quarantine", .ok, "no write was ever cut short") }
    return Diagnosis(
      "quarantine", .notice, "\(Quantity.count(count, "piece")) of torn writes were put aside",
      advice: "look at the log.recovered records: auditctl cat --stream log")
  }

  private func tail(_ condition: StoreCondition) -> Diagnosis {
    guard let offset = condition.damage else { return Diagnosis("tail", .ok, "the last write is whole") }
    return Diagnosis(
      "tail", .notice, "the last segment is not whole from byte \(offset) on, as after a crash",
      advice: "run auditctl verify: if it says torn, the next writer puts the bytes aside and goes on")
  }

  /// What `auditctl verify` says about it without a key.
  private var verified: Diagnosis {
    do {
      let report = try ProgressBar.during("Verifying") { try Verifier(directory: log.directory).run(progress: $0) }
      switch report.verdict {
      case .ok, .unanchored, .pruned: return Diagnosis("content", .ok, "every byte that counts is as it was written")
      case .torn:
        return Diagnosis(
          "content", .notice, "the end is torn, as after a crash", advice: "nothing: the next writer puts it right")
      case .altered, .truncated, .forked, .badSignature, .missingSegment:
        let first = report.findings.first { $0.kind == report.verdict }?.message
        return Diagnosis(
          "content", .problem, "verify says \(report.verdict.rawValue)\(first.map { ": \($0.dropLast())" } ?? "")",
          advice: "copy the store before anything else touches it, and run auditctl verify")
      }
    } catch let error as StoreError {
      return Diagnosis("content", error)
    } catch {
      return Diagnosis("content", .problem, "\(error)")
    }
  }

  // MARK: Space

  private var space: Diagnosis {
    var status = statvfs()
    guard statvfs(log.directory, &status) == 0, status.f_blocks > 0 else {
      return Diagnosis("disk", .notice, "the free space cannot be read: \(String(cString: strerror(errno)))")
    }
    let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
    let share = Double(status.f_bavail) / Double(status.f_blocks)
    let said = "\(Quantity.size(free)) are free, \(Int(share * 100)) %"
    if free < 64 << 20 || status.f_favail < 16 {
      return Diagnosis(
        "disk", .problem, said, advice: "make room: a flow that cannot be recorded is refused (auditing: .required)")
    }
    if free < 1 << 30, share < 0.1 { return Diagnosis("disk", .notice, said, advice: "make room, or prune the log") }
    return Diagnosis("disk", .ok, said)
  }

  // MARK: What the log says

  private var contents: [Diagnosis] {
    let statistics: StoreStatistics
    do throws(StoreError) {
      statistics = try log.statistics()
    } catch {
      guard error.code == .torn else { return [Diagnosis("log", error)] }
      var found = Diagnosis("log", error, .notice)
      found.advice = "nothing: the next writer puts the torn bytes aside and goes on"
      return [found]
    }
    let records = statistics.records
    let log = Diagnosis("log", .ok, "\(records) records in \(Quantity.count(statistics.segments, "segment"))")
    guard let note = statistics.lastCheckpoint else {
      return [
        log,
        Diagnosis(
          "checkpoint", .notice, "the log was never signed, so nothing shows if it is rewritten",
          advice: "run auditctl checkpoint, or give the recorder a schedule"),
      ]
    }
    guard note.size <= records else {
      return [
        log,
        Diagnosis(
          "checkpoint", .problem, "the latest checkpoint is of \(note.size) records, and there are \(records)",
          advice: "copy the store before anything else touches it, and run auditctl verify"),
      ]
    }
    return [log, checkpoint(note, unsigned: records - note.size)]
  }

  private func checkpoint(_ note: SignedNote, unsigned: UInt64) -> Diagnosis {
    guard unsigned > 0 else { return Diagnosis("checkpoint", .ok, "all records are covered by the latest checkpoint") }
    var age = ""
    var old = false
    var cursor = try? log.cursor(from: note.size)
    if let record = try? cursor?.next() {
      let seconds = max(0, Timestamp.now().microseconds - record.at.microseconds) / 1_000_000
      age = ", the oldest for \(Quantity.duration(milliseconds: Int(clamping: seconds) * 1_000))"
      old = seconds > 86_400
    }
    return Diagnosis(
      "checkpoint", old || unsigned > 100_000 ? .notice : .ok,
      "\(Quantity.count(Int(clamping: unsigned), "record")) \(unsigned == 1 ? "is" : "are") not signed yet\(age)",
      advice: old || unsigned > 100_000 ? "run auditctl checkpoint, or let the writer sign more often" : nil)
  }

  // MARK: The key

  private var signingKey: Diagnosis {
    let path = key ?? SigningKey.defaultPath(origin: log.identity.origin)
    guard let known = log.identity.publicKey else {
      return Diagnosis("signing key", .ok, "none yet; the first checkpoint makes one at \(path)")
    }
    do throws(StoreError) {
      let found = try SigningKey.load(path: path)
      guard found.verifier.description.isSame(as: known) else {
        return Diagnosis(
          "signing key", .problem, "\(path) is not the key that the store names", advice: "give the store's own key")
      }
      if let error = found.contradiction(of: log) { return Diagnosis("signing key", error) }
      return Diagnosis("signing key", .ok, "\(path) is the store's, and for its owner alone")
    } catch {
      // It may well be kept on another machine.
      return Diagnosis("signing key", error, error.code == .keyMissing && key == nil ? .notice : .problem)
    }
  }
}
