// The status of a fleet, from the files of its collector: the collector need not be running.
package import EventStore

/// The hosts of a fleet, each with its known facts.
package struct FleetStatus: Sendable {
  /// A line of the status.
  package struct Line: Sendable, Hashable {
    /// The host.
    package var host: Roster.Host
    /// The record that its collector keeps.
    package var record: HostRecord
    /// Its state.
    package var state: HostState
    /// For how many seconds it has had more than was collected.
    package var lag: Int64
    /// What is wrong with its copy, as far as it can be found without reading all of it.
    package var damage: String?
  }

  /// The hosts that must report, by name.
  package var lines: [Line] = []
  /// When it was read.
  package var now: Timestamp

  /// The gravest state; `ok` of a fleet without hosts.
  package var gravest: HostState { HostState.byGravity.first { state in lines.contains { $0.state == state } } ?? .ok }

  /// Reads a fleet's directory. Throws what `FleetFolder.roster` throws.
  package init(of folder: FleetFolder, at now: Timestamp, limits: FleetLimits = FleetLimits()) throws(StoreError) {
    self.now = now
    let roster = try folder.roster()
    let state = try CollectorState(of: folder) ?? CollectorState()
    for host in roster.active {
      let record = state.hosts[host.store] ?? HostRecord()
      let lag = record.lateSince.map { max(0, now.microseconds - $0.microseconds) / 1_000_000 } ?? 0
      var line = Line(host: host, record: record, state: record.state(at: now, within: limits), lag: lag)
      if let damage = folder.damage(of: host.store, after: state.hosts[host.store]?.state) ?? record.lack {
        line.damage = damage
        line.state = HostState.byGravity.first { $0 == line.state || $0 == .damaged } ?? .damaged
      }
      lines.append(line)
    }
  }

  /// The document of `auditctl fleet status --json`.
  package var json: JSON {
    let hosts = lines.map { line in
      JSON.members([
        ("store", .string(line.host.store)), ("name", .string(line.host.name)),
        ("state", .string(line.state.rawValue)), ("records", .number(line.record.state.size)),
        ("signed", .number(line.record.state.signedSize)), ("cosigned", .number(line.record.cosigned)),
        ("collected", line.record.collected.map { .string($0.description) } ?? .null),
        ("heard", line.record.heard.map { .string($0.description) } ?? .null), ("lag", .number(String(line.lag))),
        ("conflicts", .number(line.record.conflicts)), ("conflict", line.record.conflict.map(JSON.string) ?? .null),
        ("damage", line.damage.map(JSON.string) ?? .null),
      ])
    }
    return .members([("state", .string(gravest.rawValue)), ("hosts", .array(hosts))])
  }

  /// The metrics in the text format of Prometheus, version 0.0.4.
  package var prometheus: [String] {
    var out: [String] = []
    func metric(_ name: String, _ kind: String, _ help: String, _ value: (Line) -> String) {
      out.append("# HELP flowrecorder_fleet_\(name) \(help)")
      out.append("# TYPE flowrecorder_fleet_\(name) \(kind)")
      for line in lines { out.append("flowrecorder_fleet_\(name){\(labels(line))} \(value(line))") }
    }
    metric("records", "gauge", "Records that are verified and synced here.") { "\($0.record.state.size)" }
    metric("signed_records", "gauge", "Records that a checkpoint of the host's key covers.") {
      "\($0.record.state.signedSize)"
    }
    metric("cosigned_records", "gauge", "Records that a cosigned checkpoint covers.") { "\($0.record.cosigned)" }
    metric("lag_seconds", "gauge", "How long the host has had more than is here.") { "\($0.lag)" }
    metric("heard_seconds", "gauge", "How long ago the host asked last; -1 if it never did.") { line in
      "\(line.record.heard.map { (now.microseconds - $0.microseconds) / 1_000_000 } ?? -1)"
    }
    metric("conflicts_total", "counter", "Messages that contradicted the copy.") { "\($0.record.conflicts)" }
    out.append("# HELP flowrecorder_fleet_state 1 for the state that the host is in.")
    out.append("# TYPE flowrecorder_fleet_state gauge")
    for line in lines {
      for state in HostState.allCases {
        out.append(
          "flowrecorder_fleet_state{\(labels(line)),state=\"\(state.rawValue)\"} \(line.state == state ? 1 : 0)")
      }
    }
    return out
  }

  private func labels(_ line: Line) -> String {
    var name = ""
    for scalar in line.host.name.unicodeScalars {
      switch scalar {
      case "\\": name += "\\\\"
      case "\"": name += "\\\""
      case "\n": name += "\\n"
      default: name.unicodeScalars.append(scalar)
      }
    }
    return "store=\"\(line.host.store)\",name=\"\(name)\""
  }
}
