import EventStore
import Foundation
import Testing

@testable import store_subject

/// The judge of the other tests finds what is wrong.
@Suite struct PromisesTests {
  private func written(_ records: [(at: Int, record: SubjectRecord)]) throws -> Folder {
    let folder = try Folder()
    let log = try EventLog.open(at: folder.store, options: .init(origin: "subject"))
    for (_, record) in records {
      _ = try log.append([
        NewRecord(at: .now(), stream: record.stream, type: "subject.record", data: record.data)
      ])
    }
    try log.close()
    return folder
  }

  private func fault(_ folder: Folder, _ lines: [String]) -> String? {
    var promises = Promises()
    promises.hear(lines)
    return promises.fault(of: folder.store, key: nil)
  }

  @Test("a lost, changed, invented or misplaced record is reported")
  func faults() throws {
    let records = (0..<4).map { (at: $0 + 1, record: SubjectRecord(appender: 0, number: $0)) }
    let folder = try written(records)
    #expect(fault(folder, ["w 1 5 0 0", "a 5"]) == nil)
    #expect(fault(folder, ["w 1 5 0 0", "w 5 6 0 4"])?.contains("lost") == true)
    #expect(fault(folder, ["w 1 5 0 1"])?.contains("promised") == true)
    #expect(fault(folder, ["w 1 3 0 0", "w 2 3 0 1"])?.contains("was promised to") == true)
    #expect(fault(folder, ["a 6"])?.contains("said to be synced") == true)
    #expect(fault(folder, ["w x"])?.contains("not understood") == true)
    let swapped = try written([records[1], records[0]])
    let found = fault(swapped, [])
    #expect(found?.contains("out of order") == true, "\(found ?? "nothing")")
    let log = try EventLog.open(at: folder.store)
    _ = try log.append([NewRecord(at: .now(), stream: "subject/0/1", type: "t", data: Array("{\"by\":0}".utf8))])
    try log.close()
    #expect(fault(folder, [])?.contains("invented") == true)
  }
}
