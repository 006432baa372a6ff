// What a collector remembers about a host between two starts, in `state.json`.
package import EventStore

/// How far a host has been collected, and what was observed.
package struct HostRecord: Sendable, Hashable {
  /// How far its copy is good.
  package var state = MirrorState()
  /// The sequence of its last message that was read.
  package var read: UInt64 = 0
  /// When it last asked; nil if it never did.
  package var heard: Timestamp?
  /// The end of its last file, as it reported then.
  package var end: MirrorPlace?
  /// What its own shipper found wrong.
  package var trouble: ShipTrouble.Kind?
  /// Since when bytes have been missing.
  package var gapSince: Timestamp?
  /// Since when it has more than was collected.
  package var lateSince: Timestamp?
  /// Since when there have been records without a checkpoint over them.
  package var unsignedSince: Timestamp?
  /// When records of it were collected last.
  package var collected: Timestamp?
  /// How many messages contradicted its copy.
  package var conflicts: UInt64 = 0
  /// A description of the last of them.
  package var conflict: String?
  /// True once its key was found to have signed two logs.
  package var isForked = false
  /// How many records the newest cosigned checkpoint covers.
  package var cosigned: UInt64 = 0
  /// The public key of the witness that cosigned it; nil if nothing was, or before this was remembered.
  package var cosignedBy: String?

  /// A host that has not been seen yet.
  package init() {}

  /// What the copy lacks; nil if it has all that was cosigned. A copy that was cut, or made again, lacks records that a
  /// cosignature covers until they arrive again.
  package var lack: String? {
    cosigned > state.size ? "the copy has \(state.size) records, and \(cosigned) were cosigned" : nil
  }

  /// The state of the host.
  package func state(at now: Timestamp, within limits: FleetLimits) -> HostState {
    func isOver(_ since: Timestamp?, _ limit: Int64) -> Bool {
      since.map { now.microseconds - $0.microseconds > limit } ?? false
    }
    if isForked || trouble == .forked { return .forked }
    if trouble == .rolledBack { return .rolledBack }
    if lack != nil { return .damaged }
    if isOver(gapSince, limits.gap) { return .gap }
    // The engine does not store questions: a question from before this collector listened is repeated half a minute
    // later.
    let sign = [heard, collected].compactMap { $0 }.max()
    if sign == nil || isOver(sign, limits.silent) { return .silent }
    if isOver(lateSince, limits.late) { return .late }
    if isOver(unsignedSince, limits.unsigned) { return .unsigned }
    return .ok
  }
}

/// How long a condition must last before it counts as a state, in microseconds.
package struct FleetLimits: Sendable, Hashable {
  /// A host that has sent neither a question nor a record: it asks every 30 s.
  package var silent: Int64 = 120_000_000
  /// A host that has more than was collected.
  package var late: Int64 = 60_000_000
  /// Missing bytes.
  package var gap: Int64 = 60_000_000
  /// Records without a checkpoint: logs sign every 60 s unless set otherwise.
  package var unsigned: Int64 = 900_000_000

  /// The usual limits.
  package init() {}
}

/// The content of `state.json`.
package struct CollectorState: Sendable, Hashable {
  /// How far the transport was read.
  package var cursor = FleetCursor()
  /// The hosts by store.
  package var hosts: [String: HostRecord] = [:]

  /// Before anything was collected.
  package init() {}

  /// Reads the file; nil if it does not exist. Throws `malformed` if it is something else.
  package init?(of folder: FleetFolder) throws(StoreError) {
    guard let names = try? folder.disk.names(in: folder.root), names.contains("state.json") else { return nil }
    let bytes = try folder.disk.contents(of: folder.state, limit: 64 << 20)
    guard let json = try? JSON(parsing: bytes), json["schema"]?.int == 1, let hosts = json["hosts"]?.object?.members,
      let positions = json["cursor"]?.object?.members
    else {
      throw StoreError(
        .malformed, "the collector's state is not what it writes there", file: folder.state,
        advice: "put it back from a copy, or move it and hosts/ away to collect all again")
    }
    for member in positions { cursor.positions[member.key] = member.value.position ?? 0 }
    for member in hosts {
      guard let record = HostRecord(json: member.value) else {
        throw StoreError(.malformed, "the state of host \(member.key) cannot be read", file: folder.state)
      }
      self.hosts[member.key] = record
    }
  }

  /// Writes the file, durable when it returns.
  package func save(to folder: FleetFolder) throws(StoreError) {
    let json = JSON.members([
      ("schema", .int(1)),
      ("cursor", .members(cursor.positions.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) })),
      ("hosts", .members(hosts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })),
    ])
    try folder.disk.replace(folder.state, with: json.bytes + [0x0A], in: folder.root)
  }
}

extension HostRecord {
  /// The record as JSON.
  package var json: JSON {
    func time(_ time: Timestamp?) -> JSON? { time.map { .string($0.description) } }
    return .members([
      ("state", state.json), ("read", .number(read)), ("heard", time(heard)), ("end", end?.json),
      ("trouble", trouble.map { .string($0.rawValue) }), ("gapSince", time(gapSince)), ("lateSince", time(lateSince)),
      ("unsignedSince", time(unsignedSince)), ("collected", time(collected)), ("conflicts", .number(conflicts)),
      ("conflict", conflict.map(JSON.string)), ("isForked", .bool(isForked)), ("cosigned", .number(cosigned)),
      ("cosignedBy", cosignedBy.map(JSON.string)),
    ])
  }

  /// Reads a record; nil if the JSON is not a record.
  package init?(json: JSON) {
    func time(_ name: String) -> Timestamp? { json[name]?.string.flatMap { Timestamp($0) } }
    guard let state = MirrorState(json: json["state"]), let read = json["read"]?.position else { return nil }
    self.state = state
    self.read = read
    heard = time("heard")
    end = MirrorPlace(json: json["end"])
    trouble = json["trouble"]?.string.flatMap(ShipTrouble.Kind.init)
    gapSince = time("gapSince")
    lateSince = time("lateSince")
    unsignedSince = time("unsignedSince")
    collected = time("collected")
    conflicts = json["conflicts"]?.position ?? 0
    conflict = json["conflict"]?.string
    isForked = json["isForked"]?.bool ?? false
    cosigned = json["cosigned"]?.position ?? 0
    cosignedBy = json["cosignedBy"]?.string
  }
}
