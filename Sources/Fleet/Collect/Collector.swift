// Rebuilds the stores of many hosts from their messages. Everything that it reports as collected was verified, and is
// on its disk.
package import EventStore

/// Collects the stores of a roster. One thread at a time may use it; one process at a time a fleet's directory.
package final class Collector {
  /// The result of a round.
  package struct Round: Sendable, Hashable {
    /// How many messages were read.
    package var messages = 0
    /// Faults of hosts' messages, a line each.
    package var conflicts: [String] = []
    /// The hosts with unreadable messages, and why they cannot be read, a line each.
    package var unread: [String] = []
    /// The newest checkpoints that were verified in it, by store.
    package var notes: [String: SignedNote] = [:]

    /// A round without messages.
    package init() {}
  }

  private let folder: FleetFolder
  private let transport: any FleetTransport
  /// The witness that cosigns; nil cosigns nothing. It must know the keys of the hosts.
  package var witness: Witness?
  private let name: String
  private let clock: @Sendable () -> Timestamp
  private var hosts: [String: Roster.Host] = [:]
  private var mirrors: [String: StoreMirror] = [:]
  /// Why copies cannot be used, by store: nothing is collected for these hosts.
  private var unusable: [String: StoreError] = [:]
  private var unsynced: Set<String> = []
  private var unanswered: Set<String> = []
  /// The stores that the witness has cosigned but no longer remembers: nothing is cosigned for them.
  package private(set) var forgotten: Set<String> = []
  /// Problems of hosts that the next `settle` reports, a line each.
  private var unsaid: [String] = []
  private let lock: any DiskFile
  /// The state that it remembers; durable with each `settle`.
  package private(set) var state: CollectorState

  /// The collector of a fleet.
  ///
  /// - Parameters:
  ///   - name: its name in answers: letters, digits, `.`, `-`, `_`.
  ///   - witness: the witness that cosigns; nil cosigns nothing. It must know the hosts' keys.
  ///
  /// Throws `locked` if another process is collecting there, and what the disk throws.
  package init(
    _ folder: FleetFolder, from transport: any FleetTransport, name: String, witness: Witness?,
    clock: @escaping @Sendable () -> Timestamp
  ) throws(StoreError) {
    self.folder = folder
    self.transport = transport
    self.witness = witness
    self.name = name
    self.clock = clock
    try folder.prepare()
    lock = try folder.disk.open(folder.root + "/LOCK", .updateOrCreate)
    guard try lock.lock() else {
      throw StoreError(.locked, "another process collects here", file: folder.root, advice: "end it first")
    }
    state = try CollectorState(of: folder) ?? CollectorState()
  }

  deinit { lock.unlock() }

  /// Takes the hosts that must report from a roster. What is known of the others stays. A host whose log the witness
  /// has cosigned, and of which it remembers nothing, is followed without a witness, and one whose copy has checkpoints
  /// that cannot be read is followed without these. One whose copy cannot be opened is not collected until a later call
  /// can open it. The next `settle` says so of each.
  package func follow(_ roster: Roster) throws(StoreError) {
    var wanted: [String: Roster.Host] = [:]
    for host in roster.active { wanted[host.store] = host }
    for host in roster.active where hosts[host.store]?.key != host.key || unusable[host.store] != nil {
      // If it was enrolled again, earlier findings against it are settled.
      (mirrors[host.store], unusable[host.store]) = (nil, nil)
      let known = state.hosts[host.store]
      let mirror: StoreMirror
      do throws(StoreError) {
        mirror = try StoreMirror(
          directory: folder.host(host.store), state: known?.state, evidence: folder.evidence, pinned: host.key,
          disk: folder.disk)
      } catch {
        // A copy that the state does not know stays unknown: with a record, the next start would cut it to nothing.
        try setAside(host.store, named: host.name, because: error)
        continue
      }
      mirrors[host.store] = mirror
      state.hosts[host.store] = known ?? HostRecord()
      state.hosts[host.store]?.state = mirror.state
      // The host is followed all the same, with what of it can be verified.
      unsaid += mirror.unreadable.map { "\(host.name): \($0)" }
      do throws(StoreError) {
        try lookForForgotten(host)
      } catch {
        guard isOfCopy(error, of: host.store) else { throw error }
        // What the witness remembers of this host cannot be read: it may have cosigned more than is here.
        forgotten.insert(host.store)
        unsaid.append("\(host.name): nothing is cosigned for this host: \(error)")
      }
      unanswered.insert(host.store)
    }
    for store in hosts.keys where wanted[store] == nil {
      (mirrors[store], unusable[store]) = (nil, nil)
      forgotten.remove(store)
    }
    hosts = wanted
    // Before the first byte of a copy: a copy that is missing from the state is not resumed.
    try state.save(to: folder)
  }

  /// True if an error says that one host's files are not what they should be, not where they should be, or may not be
  /// used; false if the disk failed, or anything that concerns all hosts.
  private func isOfCopy(_ error: StoreError, of store: String) -> Bool {
    if error.isOfContent || error.code == .missingSegment { return true }
    guard error.code == .notFound || error.code == .permission, let file = error.file else { return false }
    let copy = folder.host(store)
    return file == copy || file.hasPrefix(copy + "/")
  }

  /// Stops collecting a host whose copy cannot be used: this `settle`, or the next one, says so. What is known of the
  /// host stays.
  ///
  /// - Throws: the error, if it is not of the copy alone.
  private func setAside(_ store: String, named name: String? = nil, because error: StoreError) throws(StoreError) {
    guard isOfCopy(error, of: store) else { throw error }
    let isGone = error.code == .notFound
    let advice = isGone ? "put the copy back, or move what is left of it away to have it collected again" : error.advice
    let problem = StoreError(
      error.code, "its copy cannot be used, and nothing is collected for it: \(error.message)",
      file: error.file ?? folder.host(store), position: error.position, offset: error.offset,
      advice: (advice ?? "put the copy back from a backup, or move it away to have it collected again")
        + "; then start the collector again")
    mirrors[store] = nil
    unusable[store] = problem
    unsaid.append("\(name ?? hosts[store]?.name ?? store): \(problem)")
  }

  /// Notes a host if its record says that the witness has cosigned its log, but the witness does not remember that:
  /// under the same key it would cosign a log that was rolled back.
  private func lookForForgotten(_ host: Roster.Host) throws(StoreError) {
    forgotten.remove(host.store)
    guard let witness, try !witness.remembers(host.key.name) else { return }
    var wasCosigned = state.hosts[host.store]?.cosignedBy?.isSame(as: witness.verifier.description) ?? false
    if !wasCosigned {
      let copy = Cosigning(store: folder.host(host.store), disk: folder.disk)
      wasCosigned = try copy.isCosigned(by: witness.verifier)
    }
    guard wasCosigned else { return }
    forgotten.insert(host.store)
    let problem = StoreError(
      .notFound, "the witness has cosigned its log, and its memory of that is gone: nothing is cosigned for this host",
      file: folder.witness,
      advice: "put the directory back; if it is lost, move what is left of it and the witness's key away: a new key is "
        + "made, whose public key the verifiers need")
    unsaid.append("\(host.name): \(problem)")
  }

  /// Reads and verifies new messages, about `limit` of them. Nothing in them counts as collected before `settle`.
  package func read(limit: Int = 256) throws(StoreError) -> Round {
    var round = Round()
    let batch: FleetBatch
    do throws(FleetError) {
      batch = try transport.read(from: state.cursor, of: Set(hosts.keys), limit: limit)
    } catch {
      if case .refused(let problem) = error { throw problem }
      throw StoreError(.io, "the engine cannot be read: \(error)", advice: "try again")
    }
    for delivery in batch.deliveries { try take(delivery, &round) }
    round.unread = batch.unread.map { "\(hosts[$0.key]?.name ?? $0.key): \($0.value)" }.sorted()
    state.cursor = batch.cursor
    return round
  }

  private func take(_ delivery: FleetDelivery, _ round: inout Round) throws(StoreError) {
    let message = delivery.message
    guard let mirror = mirrors[message.store], var record = state.hosts[message.store] else { return }
    round.messages += 1
    unanswered.insert(message.store)
    defer { state.hosts[message.store] = record }
    let outcome: MirrorOutcome
    do throws(StoreError) {
      guard message.content != .identity else {
        if case .conflict(let reason, _) = try mirror.take(identity: message.bytes, of: message.store) {
          note(reason, of: message.store, &record, &round)
        }
        return
      }
      outcome = try mirror.take(message.bytes, at: message.place, after: message.before)
    } catch {
      // The copy was changed under it: what was synced before still counts.
      return try setAside(message.store, because: error)
    }
    switch outcome {
    case .applied:
      unsynced.insert(message.store)
      record.gapSince = nil
      record.collected = clock()
    case .known: return
    case .gap: record.gapSince = record.gapSince ?? clock()
    case .conflict(let reason, let isFork):
      unsynced.insert(message.store)
      record.isForked = record.isForked || isFork
      note(reason, of: message.store, &record, &round)
    }
  }

  private func note(_ reason: String, of store: String, _ record: inout HostRecord, _ round: inout Round) {
    record.conflicts += 1
    record.conflict = reason
    round.conflicts.append("\(hosts[store]?.name ?? store): \(reason)")
  }

  /// True if something was read that is not durable, or not reported, yet.
  package var owes: Bool { !unsynced.isEmpty || !unanswered.isEmpty }

  /// Makes everything that was read durable, then reports it: to the hosts, and by cosigning their checkpoints.
  package func settle(_ round: inout Round) throws(StoreError) {
    listen()
    let cursor = state.cursor
    for store in hosts.keys { state.hosts[store]?.read = transport.read(of: store, by: cursor) }
    for store in unsynced.sorted() {
      guard let mirror = mirrors[store], var record = state.hosts[store] else { continue }
      do throws(StoreError) {
        record.state = try mirror.sync()
        if case .conflict(let reason, _)? = try mirror.takeWaitingIdentity() {
          note(reason, of: store, &record, &round)
        }
      } catch {
        try setAside(store, because: error)
        continue
      }
      state.hosts[store] = record
    }
    let now = clock()
    for store in hosts.keys { judge(store, at: now) }
    try state.save(to: folder)
    // Checkpoints are durable before they are cosigned, and their size is remembered afterward.
    let before = state
    for store in unsynced.sorted() { try cosign(store, &round) }
    unsynced = []
    if state != before { try state.save(to: folder) }
    try answer()
    round.conflicts += unsaid
    unsaid = []
  }

  /// Why a host's copy cannot be used, or what is wrong with its checkpoints; nil if nothing was found.
  package func damage(of store: String) -> String? {
    (unusable[store] ?? mirrors[store]?.unreadable.first)?.description
  }

  /// The newest checkpoint of a host that was verified here; nil also if the copy cannot be used.
  package func newestNote(of store: String) throws(StoreError) -> SignedNote? {
    do throws(StoreError) {
      return try mirrors[store]?.newestNote()
    } catch {
      try setAside(store, because: error)
      return nil
    }
  }

  /// The copy of a host's store, if the host must report.
  func mirror(of store: String) -> StoreMirror? { mirrors[store] }

  private func listen() {
    for question in (try? transport.questions(for: name)) ?? [] where hosts[question.store] != nil {
      state.hosts[question.store]?.heard = clock()
      state.hosts[question.store]?.end = question.end
      state.hosts[question.store]?.trouble = question.trouble
      unanswered.insert(question.store)
    }
  }

  /// Notes since when a host has been late or unsigned.
  private func judge(_ store: String, at now: Timestamp) {
    guard var record = state.hosts[store] else { return }
    let isLate = record.end.map { record.state.end.isBefore($0) } ?? false
    record.lateSince = isLate ? record.lateSince ?? now : nil
    let isUnsigned = record.state.size > record.state.signedSize
    record.unsignedSince = isUnsigned ? record.unsignedSince ?? now : nil
    if let mirror = mirrors[store], record.end.map({ !mirror.received.isBefore($0) }) ?? false { record.gapSince = nil }
    state.hosts[store] = record
  }

  /// Cosigns the newest checkpoint of a host, if it is not cosigned yet.
  private func cosign(_ store: String, _ round: inout Round) throws(StoreError) {
    guard let record = state.hosts[store], record.state.signedSize > record.cosigned,
      let note = try newestNote(of: store)
    else { return }
    round.notes[store] = note
    guard var witness, !forgotten.contains(store) else { return }
    let cosigning = Cosigning(store: folder.host(store), disk: folder.disk)
    do throws(StoreError) {
      var answer = try Self.answer(of: witness, to: cosigning)
      if case .failure(let refusal) = answer, refusal.reason == .unsigned, let key = hosts[store]?.key {
        // The enrolled key may have handed over to another key by now.
        let keys = try LogReader(directory: folder.host(store), disk: folder.disk).trustedKeys(from: key)
        witness = try witness.knowing(keys)
        self.witness = witness
        answer = try Self.answer(of: witness, to: cosigning)
      }
      switch answer {
      case .success(let lines):
        _ = try cosigning.add(lines, from: witness.verifier)
        state.hosts[store]?.cosigned = note.size
        state.hosts[store]?.cosignedBy = witness.verifier.description
      case .failure(let refusal):
        if refusal.reason == .forked || refusal.reason == .badProof { state.hosts[store]?.isForked = true }
        round.conflicts.append("\(hosts[store]?.name ?? store): \(refusal.message)")
      }
    } catch {
      let isVerdict = [.truncated, .altered, .forked].contains(error.code)
      // A copy that is damaged is a problem of its host alone.
      guard isVerdict || isOfCopy(error, of: store) else { throw error }
      round.conflicts.append("\(hosts[store]?.name ?? store): \(isVerdict ? error.message : error.description)")
    }
  }

  private static func answer(
    of witness: Witness, to cosigning: Cosigning
  ) throws(StoreError) -> Result<String, WitnessRefusal> {
    let answer = try witness.answer(try cosigning.request(to: witness.verifier))
    guard case .failure(let refusal) = answer, refusal.reason == .stale, let latest = refusal.latest else {
      return answer
    }
    return try witness.answer(try cosigning.request(to: witness.verifier, from: latest))
  }

  private func answer() throws(StoreError) {
    var answers: [FleetAnswer] = []
    for store in unanswered.sorted() {
      guard let mirror = mirrors[store], let record = state.hosts[store] else { continue }
      let identity = (try? folder.disk.contents(of: mirror.directory + "/store.json", limit: 1 << 20)) ?? []
      do throws(StoreError) {
        answers.append(
          FleetAnswer(
            collector: name, store: store, read: record.read, wanted: mirror.received, staged: mirror.stagedEnd,
            state: record.state, note: record.state.signed == nil ? nil : try mirror.newestNote()?.text,
            rewritten: try mirror.rewrittenSegments(),
            identity: identity.isEmpty ? "" : FleetAnswer.mark(of: identity)))
      } catch {
        try setAside(store, because: error)
      }
    }
    do throws(FleetError) {
      try transport.answer(answers)
      unanswered = []
    } catch {
      // It is reported again next time: a host that misses an answer only ships more.
    }
  }
}
