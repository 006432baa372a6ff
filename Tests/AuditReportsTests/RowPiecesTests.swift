import EventStore
import Testing

@testable import AuditReports

@Suite struct RowPiecesTests {
  @Test(
    "pieces come in the order of the rows, each row once, for few and for many",
    arguments: [0, 1, 1_024, 1_025, 20_000])
  func order(count: Int) {
    var all: [Int] = []
    RowPieces.forEach(of: Array(0..<count), lanes: 3) { first, rows in
      #expect(rows.first == first, "the number is that of the first row")
      return Array(rows)
    } _: {
      all += $0
    }
    #expect(all == Array(0..<count))
  }

  private struct Stopped: Error {}

  @Test("an error of the reader ends it")
  func stopped() {
    var count = 0
    #expect(throws: Stopped.self) {
      try RowPieces.forEach(of: Array(0..<20_000), lanes: 3) { _, rows in
        rows.count
      } _: { _ in
        count += 1
        if count == 2 { throw Stopped() }
      }
    }
    #expect(count == 2)
  }

  @Test("a table of many rows reads as its rows do one by one, as text, JSON and CSV")
  func table() throws {
    let rows: [[ReportTable.Cell]] = (0..<3_000).map { number in
      [.number(number), .text("user\(number)\(number.isMultiple(of: 7) ? "\u{1B}[1m\u{e9}\u{4e00}" : "")"), .text(nil)]
    }
    let columns: [ReportTable.Column] = [.init("n", "n"), .init("user", "user"), .init("none", "none")]
    let filter = FlowFilter()
    let whole = Report(.people, filter: filter, tables: [ReportTable("t", "T", columns, rows)])
    var pieces = ""
    whole.forEachPieceOfJSON(after: []) { pieces += $0 }
    #expect(pieces == whole.json.text)
    // As one table of few rows each: the same lines, since the widest cell is in each.
    let widest = rows[2_996]
    func lines(_ rows: [[ReportTable.Cell]]) -> [String] {
      let report = Report(.people, filter: filter, tables: [ReportTable("t", "T", columns, [widest] + rows)])
      return report.rendered(as: .text, width: 200).split(separator: "\n").map(String.init)
    }
    let all = lines(rows).suffix(3_000)
    let few = stride(from: 0, to: 3_000, by: 500).flatMap { lines(Array(rows[$0..<$0 + 500])).suffix(500) }
    #expect(Array(all) == few)
    let csv = rows.map { CSV.line(["t"] + $0.map(\.plain)) }.joined()
    #expect(whole.rendered(as: .csv) == CSV.line(["table", "n", "user", "none"]) + csv)
  }
}
