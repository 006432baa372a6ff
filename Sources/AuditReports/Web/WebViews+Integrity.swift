// The log's description of itself, and the result of verifying all of it.

import EventStore
import FlowRecording

extension WebViews {
  /// The page about the log itself. If `checked` is true, every byte of the store is read. If the log is damaged, a
  /// server shows what it can: the verdict, or the button that asks for it.
  func integrity(checked: Bool) throws -> WebPage {
    let check = checked ? try verdict() : edition.isServed ? Self.offer : Self.advice
    var page = WebPage(title: "Integrity", body: "", place: .integrity)
    do {
      page.body = try integrity(check)
    } catch let error as StoreError where edition.isServed {
      page.body = "<p class=\"bad\" role=\"alert\">\(HTML.escape(error.description))</p>\n" + check
    }
    return page
  }

  /// The contents of the page, with the result of a check or the way to one.
  private func integrity(_ check: String) throws -> String {
    let statistics = try log.statistics()
    let note = statistics.lastCheckpoint
    let unsigned = note.map { statistics.records >= $0.size ? statistics.records - $0.size : 0 } ?? statistics.records
    var body = WebPage.list([
      ("origin", HTML.escape(log.identity.origin)), ("records", String(statistics.records)),
      ("root", "<code>\(try log.root(at: statistics.records))</code>"),
      ("segments", "\(statistics.segments), \(statistics.sealedSegments) sealed, \(statistics.prunedSegments) pruned"),
      ("on disk", HTML.escape(Quantity.size(statistics.bytesOnDisk))),
      ("public key", log.identity.publicKey.map { "<code>\(HTML.escape($0))</code>" }),
      ("latest checkpoint", note.map { "\($0.size) records, root <code>\($0.root)</code>" } ?? "none"),
      ("not signed yet", Quantity.count(Int(clamping: unsigned), "record")),
    ])
    body += check
    let own = try log.keptRecords(of: LogFacts.ownStream)
    let checkpoints = try log.keptCheckpoints()
    body += LogStrip(statistics, checkpoints, own).html
    body += Self.checkpoints(checkpoints, log)
    body += try Self.tree(log.frontier(at: statistics.records), log.firstKept())
    body += try Self.runs(own.compactMap(OwnEvent.init).withRecords(of: log, before: statistics.records))
    body += "<h2>What the store noted</h2>\n"
    let rows = own.filter { $0.type != "recorder.heartbeat" }.suffix(500).reversed().map { record in
      [
        String(record.position), WebPage.whole(record.at.description), HTML.words(record.type),
        HTML.words(String(decoding: record.data, as: UTF8.self)),
      ]
    }
    return body
      + WebPage.table(
        "Openings, recoveries, gaps, prunings, steps of the clock", ["Position", "Time (UTC)", "Type", "Data"], rows,
        numeric: [0])
  }

  /// The checkpoints in the store's folder, newest first, with who signed each and the last record it covers.
  private static func checkpoints(_ notes: [SignedNote], _ log: LogReader) -> String {
    guard !notes.isEmpty else { return "" }
    let key = log.identity.publicKey.flatMap { try? VerifierKey(text: $0) }
    let rows = notes.suffix(mostCheckpoints).reversed().map { note in
      var cursor = note.size > 0 ? try? log.cursor(from: note.size - 1) : nil
      let last = try? cursor?.next()
      return [
        String(note.size), WebPage.whole(last?.at.description ?? "-"), "<code>\(note.root)</code>",
        HTML.words(note.signatures.map(\.name).joined(separator: ", "))
          + (key.map { note.standing(with: $0) == .valid } ?? false
            ? "" : " (does not hold by the key that the store names)"),
        (try? log.root(at: note.size)) == note.root
          ? "<span class=\"good\">as the log is</span>" : "<span class=\"bad\">not of this log</span>",
      ]
    }
    return "<h2>Checkpoints</h2>\n"
      + WebPage.table(
        "Kept in the store, newest first", ["Records", "Last record (UTC)", "Root", "Signed by", "Root is"], rows,
        numeric: [0])
  }

  private static let mostCheckpoints = 64

  /// The complete subtrees of the Merkle tree.
  private static func tree(_ frontier: MerkleFrontier, _ kept: UInt64) -> String {
    var (start, rest) = (UInt64(0), frontier.size)
    let rows = frontier.hashes.map { hash in
      let height = 63 - rest.leadingZeroBitCount
      let count = UInt64(1) << UInt64(height)
      defer {
        start += count
        rest -= count
      }
      let isPruned = start + count <= kept
      return [
        "\(start) - \(start + count - 1)", String(height), "<code>\(hash)</code>",
        isPruned ? "pruned, the hash stays" : start < kept ? "pruned to \(kept)" : "kept",
      ]
    }
    guard !rows.isEmpty else { return "" }
    return "<h2>Merkle tree</h2>\n"
      + WebPage.table(
        "Its complete subtrees; the root is their hash, from the right (RFC 6962)",
        ["Records", "Height", "Hash", "Its records"], rows)
  }

  /// When the recorder was running, and when it was not.
  private static func runs(_ own: [OwnEvent]) -> String {
    let runs = RecorderRuns(own)
    guard !runs.runs.isEmpty else { return "" }
    return "<h2>The recorder</h2>\n"
      + [runs.runsTable(FlowFilter()), runs.outagesTable(FlowFilter())].map { table in
        WebPage.table(
          table.caption(.utc), table.columns.map(\.title),
          table.rows.suffix(200).reversed().map { $0.map { HTML.words($0.text(zone: .utc)) } })
      }.joined()
  }

  private static let offer = """
    <form class="check" action="/integrity">
    <input type="hidden" name="check" value="all">
    <button>Check every byte</button>
    <p>Reads the whole store, as <code>auditctl verify</code> does. Nothing is pinned here: give that command the public key
    that you trust, and keep it where this store's writer cannot change it.</p>
    </form>

    """

  private static let advice = """
    <p>This page repeats what the store says of itself. <code>auditctl verify</code> checks every byte of it, against the public
    key that you trust.</p>

    """

  private func verdict() throws -> String {
    let report = try Verifier(directory: log.directory).run()
    let tone: String =
      switch report.verdict {
      case .ok, .pruned: "good"
      case .unanchored, .torn: "notice"
      case .altered, .truncated, .forked, .badSignature, .missingSegment: "bad"
      }
    let findings = report.findings.prefix(100).map { finding in
      [
        HTML.escape(finding.kind.findingWord), HTML.words(finding.segment ?? "-"),
        finding.position.map { String($0) } ?? "-",
        HTML.words(finding.message),
      ]
    }
    let lines = VerdictText(report, store: log.directory).lines(width: LineWidth(100, isStrict: false))
    return
      "<h2>Verdict</h2>\n<p class=\"\(tone)\" role=\"status\"><b>\(report.verdict.rawValue)</b></p>\n"
      + "<pre tabindex=\"0\" role=\"region\" aria-label=\"Report\">\(HTML.escape(lines: lines))</pre>\n"
      + (findings.isEmpty ? "" : WebPage.table("Findings", ["Kind", "File", "Position", "What"], findings))
  }
}
