// A caller's requirements beyond the log being intact, so that exit 0 is all a script needs.

/// Limits that a log must keep to be accepted, and witnesses that must have cosigned it.
public struct VerifyDemands: Sendable, Hashable {
  /// How many records may follow the anchored ones; nil: any number. More: `unanchored`.
  public var maxTail: UInt64?
  /// How many records the log must have at least. Fewer: `truncated`.
  public var minSize: UInt64?
  /// The keys of witnesses, each of which must have cosigned the newest checkpoint that anchors the log. If one has
  /// not: `unanchored`; if its cosignature is invalid: `badSignature`.
  public var witnesses: [VerifierKey]

  /// Demands of a log; by default none.
  public init(maxTail: UInt64? = nil, minSize: UInt64? = nil, witnesses: [VerifierKey] = []) {
    self.maxTail = maxTail
    self.minSize = minSize
    self.witnesses = witnesses
  }

  /// The report with a finding for each unmet requirement, and the resulting verdict.
  public func applied(to report: VerifyReport) -> VerifyReport {
    var report = report
    func find(_ kind: VerifyReport.Verdict, _ position: UInt64?, _ message: String) {
      report.findings.append(
        .init(kind: kind, segment: nil, offset: nil, position: position, message: message, isDemand: true))
      report.verdict = .gravest(of: [report.verdict, kind])
    }
    if let minSize, report.records < minSize {
      find(.truncated, report.records, "The log has \(report.records) records, at least \(minSize) are demanded.")
    }
    if let maxTail, let anchored = report.anchoredSize, let rest = report.recordsAfterAnchor, rest > maxTail {
      find(.unanchored, anchored, "\(rest) records follow the anchored ones, at most \(maxTail) may.")
    }
    for witness in witnesses {
      let cosigned = report.cosignatures(of: witness)
      report.cosigned.append(cosigned)
      guard let anchored = report.anchoredSize else { continue }
      let newest = report.anchors.filter { $0.size == anchored }.map { $0.standing(with: witness) }
      let said = "The newest checkpoint that anchors the log, of \(anchored) records,"
      if newest.contains(.invalid) {
        find(.badSignature, anchored, "\(said) has a cosignature of \(witness.name) that does not hold.")
      } else if !newest.contains(.valid) {
        let earlier = cosigned.size.map { "; the newest that is has \($0)" } ?? ""
        find(.unanchored, anchored, "\(said) is not cosigned by \(witness.name)\(earlier).")
      }
    }
    return report
  }
}

extension VerifyReport {
  /// What a witness has cosigned of a log.
  public struct Cosigned: Sendable, Hashable {
    /// The key of the witness.
    public var witness: VerifierKey
    /// The size of the newest checkpoint that anchors the log and that the witness has cosigned; nil if there is none.
    public var size: UInt64?
    /// When it cosigned, in seconds since 1970, as it states.
    public var time: UInt64?
  }

  /// Which of the checkpoints that anchor the log `witness` has cosigned.
  fileprivate func cosignatures(of witness: VerifierKey) -> Cosigned {
    let valid = anchors.filter { $0.standing(with: witness) == .valid }.max { $0.size < $1.size }
    return Cosigned(witness: witness, size: valid?.size, time: valid?.time(of: witness))
  }
}

extension VerifyReport.Verdict {
  /// The gravest of some verdicts, which counts for all of them; `ok` if there are none.
  public static func gravest(of verdicts: [VerifyReport.Verdict]) -> VerifyReport.Verdict {
    let order: [VerifyReport.Verdict] = [
      .badSignature, .forked, .truncated, .missingSegment, .altered, .torn, .unanchored, .pruned, .ok,
    ]
    return order.first(where: verdicts.contains) ?? .ok
  }
}
