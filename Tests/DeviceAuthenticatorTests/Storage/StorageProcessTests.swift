import DeviceAuthenticator
import Foundation
import Testing

/// Several processes on one storage.
@Suite struct StorageProcessTests {
  let folder: OwnFolder

  init() throws { folder = try OwnFolder() }

  @Test func `of 10,000 operations of two processes none is lost and none meets a locked database`() throws {
    let path = folder.file("storage")
    let storage = try SQLiteEnrollmentStorage(directory: path)
    try storage.save(
      StoredEnrollment(id: "shared", orgID: "00o1", orgURL: "https://a", userID: "00u1", deviceID: "guo1"))
    let each = 5_000
    let processes = try ["one", "two"].map { try StoreProcess("storage", path, $0, "\(each)") }
    for process in processes {
      let end = process.end()
      #expect(end.lines == ["done \(each)"] && end.code == 0)
    }
    let kinds = each / 5
    #expect(try storage.enrollment(id: "shared")?.created == Double(2 * kinds))
    let ids = Set(try storage.enrollments().map(\.id))
    #expect(ids.count == 2 * kinds + 1)
    for name in ["one", "two"] {
      for number in stride(from: 0, to: each, by: 5) {
        #expect(ids.contains("\(name)-\(number)"))
        #expect(try storage.transaction(id: "\(name)-\(number + 3)") != nil)
      }
    }
  }

  @Test func `many processes that open a new storage at once all get it, and each claim is got once`() throws {
    let path = folder.file("storage")
    let count = 200
    let processes = try (0..<5).map { try StoreProcess("claims", path, "\($0)", "\(count)") }
    var got: [String] = []
    for process in processes {
      let end = process.end()
      #expect(end.code == 0, "\(end.lines.last ?? "")")
      got += end.lines
    }
    #expect(got.sorted() == (0..<count).map { "got ft\($0)" }.sorted())
  }
}
