import DeviceAuthenticator
import Foundation
import GRDB
import Testing

/// Databases that are damaged: a typed error, or what was saved; never a trap, never other data.
@Suite struct StorageDamageTests {
  let folder: OwnFolder
  private let saved = (1...20).map { StoredEnrollment.full("pfd\($0)") }

  init() throws {
    folder = try OwnFolder()
    let storage = try SQLiteEnrollmentStorage(directory: folder.file("storage"))
    for enrollment in saved { try storage.save(enrollment) }
  }

  private var whole: [UInt8] {
    get throws {
      try DatabaseQueue(path: folder.file("storage/enrollments.sqlite")).writeWithoutTransaction {
        _ = try $0.checkpoint(.truncate)
      }
      return try folder.read("storage/enrollments.sqlite")
    }
  }

  /// Puts a file in the place of the database and reads it.
  private func outcome(of bytes: [UInt8]) throws -> Result<[StoredEnrollment], StorageFailure> {
    for name in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: folder.file("storage/enrollments.sqlite" + name))
    }
    try folder.write(bytes, to: "storage/enrollments.sqlite")
    do throws(StorageFailure) {
      let storage = try SQLiteEnrollmentStorage(directory: folder.file("storage"))
      return .success(try storage.enrollments())
    } catch {
      return .failure(error)
    }
  }

  @Test func `a file that is no database is an error that says so`() throws {
    for bytes in [
      Array("this is no database at all, and it is long enough".utf8), [UInt8](repeating: 0xFF, count: 8_192),
    ] {
      guard case .failure(.unreadable(let reason)) = try outcome(of: bytes) else { throw Unexpected("read") }
      #expect(reason.contains("damaged") && !reason.contains("/"))
    }
  }

  @Test func `a database that is cut at any page is an error or whole`() throws {
    let whole = try whole
    #expect(try outcome(of: whole).get() == saved)
    var failures = 0
    for length in stride(from: 512, to: whole.count, by: 2_048) {
      switch try outcome(of: Array(whole.prefix(length))) {
      case .failure: failures += 1
      case .success(let found): #expect(found == saved, "cut at \(length)")
      }
    }
    #expect(failures > 0)
  }

  @Test func `pages of noise are an error, or rows that were not in them`() throws {
    let whole = try whole
    var generator = Noise(state: 7)
    for page in 1..<whole.count / 4_096 {
      var damaged = whole
      for index in page * 4_096..<(page + 1) * 4_096 { damaged[index] = generator.next() }
      if case .success(let found) = try outcome(of: damaged) { #expect(found == saved, "page \(page)") }
    }
  }

  @Test func `single changed bytes are an error, or rows that decode`() throws {
    let whole = try whole
    var generator = Noise(state: 11)
    var outcomes = (read: 0, refused: 0)
    for _ in 0..<150 {
      var damaged = whole
      let index = (Int(generator.next()) << 16 | Int(generator.next()) << 8 | Int(generator.next())) % damaged.count
      damaged[index] = generator.next()
      if case .success = try outcome(of: damaged) { outcomes.read += 1 } else { outcomes.refused += 1 }
    }
    #expect(outcomes.read > 0 && outcomes.refused > 0, "\(outcomes)")
  }

  /// A small generator, the same in each run.
  private struct Noise {
    var state: UInt64

    mutating func next() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }
}
