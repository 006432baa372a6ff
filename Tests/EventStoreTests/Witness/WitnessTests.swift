import Foundation
import Testing

@testable import EventStore

/// What a witness cosigns, and what it refuses (C2SP tlog-witness, tlog-cosignature).
@Suite struct WitnessTests {
  private let folder: TemporaryStore
  private let key: SigningKey
  private let witnessKey: SigningKey
  private var state: String { folder.folder + "/w1" }

  init() throws {
    folder = try TemporaryStore()
    key = try SigningKey(name: "play")
    witnessKey = try SigningKey(name: "example.com/w1", as: .cosignature)
    try Witness.begin(folder.folder + "/w1", key: witnessKey)
  }

  private func witness(_ logs: [VerifierKey]? = nil) throws -> Witness {
    try Witness(key: witnessKey, logs: logs ?? [key.verifier], directory: state, clock: { noon })
  }

  /// Appends to a store and signs it.
  @discardableResult
  private func sign(_ texts: String..., store: String? = nil) throws -> SignedNote {
    let log = try EventLog.open(at: store ?? folder.path, options: LogOptions(origin: "play", clock: { noon }))
    for text in texts { pass(log, try log.append([record("s", text)])) }
    defer { try? log.close() }
    return try log.checkpoint(with: key)
  }

  private func request(from size: UInt64? = nil, store: String? = nil) throws -> WitnessRequest {
    try Cosigning(store: store ?? folder.path).request(to: witnessKey.verifier, from: size)
  }

  private func refusal(_ request: WitnessRequest, _ witness: Witness? = nil) throws -> WitnessRefusal? {
    if case .failure(let refusal) = try (witness ?? self.witness()).answer(request) { refusal } else { nil }
  }

  private func remembered() throws -> SignedNote? {
    try StoreLayout("").note(at: state + "/play.checkpoint", on: SystemDisk())
  }

  @Test func `the example of C2SP tlog-cosignature is read, and its key hash is that of an Ed25519 cosigner`() throws {
    let note = try SignedNote(
      text: "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        + "\u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
        + "\u{2014} witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
    )
    let cosignature = note.signatures[1]
    #expect(cosignature.bytes.count == 72 && cosignature.name == "witness.example.com/w1")
    // The time that the page's signed message states.
    #expect(witnessKey.verifier.time(of: cosignature.bytes) == 1_679_315_147)
  }

  /// The seed is 0, 1 ... 31. Key, key hash and signature were computed by Python's `cryptography` and `hashlib`:
  /// `sha256(name + b"\n\x04" + key)[:4]`, `pack(">Q", time) + sign(b"cosignature/v1\ntime %d\n" % time + body)`.
  @Test func `the bytes of a cosignature are those that another program computes`() throws {
    let seed = (0..<32).map { UInt8($0) }
    let text = "PRIVATE+KEY+example.com/w1+89876088+" + Base64.encode([4] + seed)
    let made = try #require(try? SigningKey(text: text, as: .cosignature))
    #expect(made.verifier.description == "example.com/w1+89876088+BAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4")
    let body = Array("play\n2\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n".utf8)
    #expect(
      made.verifier.message(of: body, at: 1_679_315_147)
        == Array("cosignature/v1\ntime 1679315147\n".utf8) + body)
    let known = try #require(
      Base64.decode("AAAAAGQYUMsgweqCK1zt9/odxfy7hqJHxg9Rj5qBFF9jRIhSUpDvcBO8I+BRjNNEGrIOUZ1Juk4LnESobAq6/cWKzkrNJ4UN"))
    #expect(made.verifier.isSignature(known, of: body))
    let ours = try made.signature(of: body, at: 1_679_315_147)
    #expect(ours.count == 72 && ours.prefix(8) == known.prefix(8) && made.verifier.isSignature(ours, of: body))
    for wrong in [body.dropLast() + [0x20], body + [0x0A]] {
      #expect(!made.verifier.isSignature(known, of: Array(wrong)))
    }
    var later = known
    later[7] ^= 1
    #expect(!made.verifier.isSignature(later, of: body))
    #expect(!made.verifier.isSignature([UInt8](repeating: 0, count: 8) + known.dropFirst(8), of: body))
    #expect(!made.verifier.isSignature(Array(known.dropFirst(8)), of: body) && !made.verifier.isSignature([], of: body))
  }

  @Test func `keys of logs and of witnesses are not taken for each other`() throws {
    #expect(throws: StoreError(.malformed, "")) { try VerifierKey(text: witnessKey.verifier.description) }
    #expect(throws: StoreError(.malformed, "")) { try VerifierKey(text: key.verifier.description, as: .cosignature) }
    #expect(throws: StoreError(.malformed, "")) { try SigningKey(text: witnessKey.secretText) }
    #expect(throws: StoreError(.keyMismatch, "")) { try Witness.begin(folder.folder + "/other", key: key) }
    let twin = try VerifierKey(name: key.verifier.name, publicKey: key.verifier.publicKey, as: .cosignature)
    #expect(twin.hash != key.verifier.hash && twin != key.verifier)
  }

  @Test func `a log that grows is cosigned, and the cosignature is added beside its own signature`() throws {
    let first = try sign("a")
    let lines = try witness().answer(request()).get()
    let cosigned = try Cosigning(store: folder.path).add(lines, from: witnessKey.verifier)
    #expect(cosigned.standing(with: witnessKey.verifier) == .valid && cosigned.standing(with: key.verifier) == .valid)
    #expect(cosigned.size == first.size && cosigned.time(of: witnessKey.verifier) == 1_795_255_200)
    let layout = StoreLayout(folder.path)
    #expect(try layout.latestCheckpoint(on: SystemDisk()) == cosigned)
    #expect(try layout.note(at: layout.checkpoint(first.size), on: SystemDisk()) == cosigned)
    // From there on, which the store knows.
    try sign("b", "c", "d")
    let next = try request()
    #expect(next.oldSize == first.size && !next.proof.isEmpty)
    let again = try Cosigning(store: folder.path).add(try witness().answer(next).get(), from: witnessKey.verifier)
    #expect(again.size == 5)
    #expect(try remembered()?.size == 5)
    // The same once more: one cosignature, not two.
    let twice = try Cosigning(store: folder.path).add(
      try witness().answer(request()).get(), from: witnessKey.verifier)
    #expect(twice.signatures.count == 2)
    #expect(try Verifier(directory: folder.path, pinnedKey: key.verifier).run().verdict == .ok)
  }

  @Test func `a log that was rolled back is refused, and so is a request that comes again`() throws {
    try sign("a")
    let early = try request()
    let copy = try folder.copy("older")
    try sign("b", "c")
    let late = try request()
    _ = try witness().answer(late).get()
    for replayed in [early, try request(from: 0, store: copy)] {
      let found = try refusal(replayed)
      #expect(found?.reason == .truncated && found?.latest == 4 && found?.reason.status == 409)
    }
    // The one that was answered: its proof begins where the witness is no more.
    let again = try refusal(late)
    #expect(again?.reason == .stale && again?.latest == 4 && again?.storeError.code == .conflict)
    #expect(try remembered()?.size == 4)
    #expect(throws: StoreError(.truncated, "")) { try request(from: 4, store: copy) }
  }

  @Test func `a log that was forked is refused at the same size and at any later one`() throws {
    try sign("a")
    let twin = try folder.copy("twin")
    try sign("b")
    _ = try witness().answer(request()).get()
    let same = try refusal(
      try {
        try sign("x", store: twin); return try request(from: 3, store: twin)
      }())
    #expect(same?.reason == .forked && same?.reason.status == 409 && same?.latest == 3)
    try sign("y", "z", store: twin)
    let later = try refusal(try request(from: 3, store: twin))
    #expect(later?.reason == .badProof && later?.reason.status == 422)
    #expect(try refusal(try request(from: 0, store: twin))?.reason == .stale)
    #expect(try remembered()?.size == 3)
  }

  @Test func `a key that handed the log over by a checkpoint that was cosigned gets no later one cosigned`() throws {
    let new = try SigningKey(name: "play")
    let known = [key.verifier, new.verifier]
    try sign("a", "b")
    let log = try EventLog.open(at: folder.path, options: LogOptions(origin: "play", clock: { noon }))
    let handover = try log.handOver(from: key, to: new)
    _ = try witness(known).answer(request()).get()
    #expect(try remembered() == handover)
    pass(log, try log.append([record("s", "c")]))
    _ = try log.checkpoint(with: new)
    try log.close()
    let later = try request(from: handover.size)
    let forged = WitnessRequest(
      oldSize: later.oldSize, proof: later.proof,
      note: try SignedNote(origin: "play", size: later.note.size, root: later.note.root, signedBy: key))
    let found = try refusal(forged, try witness(known))
    #expect(found?.reason == .unsigned && found?.message.contains("handed play over") == true, "\(found as Any)")
    #expect(try remembered() == handover)
    #expect(throws: Never.self) { try witness(known).answer(later).get() }
  }

  @Test func `a proof that is wrong, short, long or missing is refused`() throws {
    try sign("a", "b", "c")
    _ = try witness().answer(request()).get()
    try sign("d", "e", "f")
    let good = try request(from: 4)
    let wrong: [[TreeHash]] = [
      [], Array(good.proof.dropLast()), good.proof + [MerkleTree.leaf([1])], good.proof.reversed(),
      good.proof.map { _ in MerkleTree.leaf([1]) },
    ]
    for proof in wrong where proof != good.proof {
      let refused = try refusal(.init(oldSize: 4, proof: proof, note: good.note))
      #expect(refused?.reason == .badProof && refused?.latest == 4)
    }
    #expect(try refusal(.init(oldSize: 8, proof: [], note: good.note))?.reason == .malformed)
    #expect(try refusal(good) == nil)
    // From nothing, with a proof of nothing.
    let other = try SigningKey(name: "play2")
    let note = try SignedNote(origin: "play2", size: 3, root: MerkleTree.leaf([1]), signedBy: other)
    let two = try witness([key.verifier, other.verifier])
    #expect(try refusal(.init(oldSize: 0, proof: [MerkleTree.leaf([1])], note: note), two)?.reason == .badProof)
    #expect(try refusal(.init(oldSize: 0, proof: [], note: note), two) == nil)
    let empty = try SignedNote(origin: "play2", size: 0, root: MerkleTree.leaf([1]), signedBy: other)
    #expect(try refusal(.init(oldSize: 0, proof: [], note: empty), two)?.reason == .truncated)
  }

  @Test func `an unknown log, and a checkpoint that none of its keys has signed, are refused`() throws {
    let note = try sign("a")
    let stranger = try SigningKey(name: "play")
    #expect(try refusal(request(), witness([try SigningKey(name: "other").verifier]))?.reason == .unknownLog)
    #expect(try refusal(request(), witness([stranger.verifier]))?.reason == .unsigned)
    let forged = try SignedNote(text: note.text.replacing("\n\(note.size)\n", with: "\n\(note.size + 1)\n"))
    #expect(try refusal(.init(oldSize: 0, proof: [], note: forged))?.reason == .unsigned)
    #expect(try remembered() == nil)
    // One of several keys will do.
    #expect(try refusal(request(), witness([stranger.verifier, key.verifier])) == nil)
  }

  @Test func `a witness that lost its memory, or cannot read it, cosigns nothing`() throws {
    try sign("a")
    _ = try witness().answer(request()).get()
    for torn in ["", "play\n", "garbage"] {
      try write(Array(torn.utf8), to: state + "/play.checkpoint")
      try sign("b")
      #expect(throws: StoreError(.malformed, "")) { try witness().answer(request(from: 2)) }
    }
    #expect(throws: StoreError(.keyMismatch, "")) {
      try Witness(
        key: SigningKey(name: "example.com/w1", as: .cosignature), logs: [], directory: state)
    }
    #expect(throws: StoreError(.cannotCreate, "")) { try Witness.begin(state, key: witnessKey) }
    try FileManager.default.removeItem(atPath: state + "/witness.pub")
    #expect(throws: StoreError(.notFound, "")) { try witness() }
  }

  @Test func `a log that was cosigned and whose checkpoint is gone is not taken for a new one`() throws {
    try sign("a", "b")
    let late = try request()
    let (running, place) = (try witness(), state + "/play.checkpoint")
    // A first request that is refused makes the lock and nothing else: the log is new still.
    #expect(try refusal(.init(oldSize: 0, proof: [MerkleTree.empty], note: late.note), running)?.reason == .badProof)
    #expect(FileManager.default.fileExists(atPath: place + ".lock"))
    _ = try running.answer(late).get()
    let kept = try bytes(of: place)
    try FileManager.default.removeItem(atPath: place)
    for each in [running, try witness()] {
      let error = #expect(throws: StoreError.self) { try each.answer(late) }
      #expect(error?.code == .notFound && error?.file == place)
      #expect(error?.advice?.contains("new key") == true && error?.message.contains("play") == true)
    }
    // The state put back; of a version that made no mark, it gets one with the next request, whatever comes of that.
    try write(kept, to: place)
    try FileManager.default.removeItem(atPath: state + "/play.cosigned")
    #expect(try refusal(late, running)?.reason == .stale)
    try FileManager.default.removeItem(atPath: place)
    #expect(throws: StoreError(.notFound, "")) { try running.answer(late) }
    try write(kept, to: place)
    try FileManager.default.removeItem(atPath: state + "/witness.pub")
    #expect(throws: StoreError(.notFound, "")) { try running.answer(late) }
  }

  @Test func `a first cosignature that is cut off at any call leaves no log that is refused for good`() throws {
    let one = try SignedNote(origin: "play", size: 1, root: MerkleTree.leaf([1]), signedBy: key)
    let first = WitnessRequest(oldSize: 0, proof: [], note: one)
    for calls in 1..<60 {
      let disk = MemoryDisk(seed: 3)
      _ = try disk.makeDirectory("/state")
      try disk.syncDirectory("/")
      try Witness.begin("/state", key: witnessKey, disk: disk)
      func witness(_ disk: MemoryDisk) throws -> Witness {
        try Witness(key: witnessKey, logs: [key.verifier], directory: "/state", clock: { noon }, disk: disk)
      }
      let begun = try witness(disk)
      disk.cutPower(afterCalls: calls)
      let answer = try? begun.answer(first).get()
      let left = disk.afterCut()
      // It is cosigned now, or was remembered: no error.
      if case .failure(let refusal) = try witness(left).answer(first) { #expect(refusal.reason == .stale) }
      guard answer != nil else { continue }
      try left.remove("/state/play.checkpoint")
      #expect(throws: StoreError(.notFound, "")) { try witness(left).answer(first) }
      return
    }
    Issue.record("the witness never came to its end")
  }

  @Test func `what is cosigned was remembered before, and the process may end at any call`() throws {
    for calls in 1..<60 {
      let disk = MemoryDisk(seed: 3)
      for path in ["/state"] { _ = try disk.makeDirectory(path) }
      try disk.syncDirectory("/")
      try Witness.begin("/state", key: witnessKey, disk: disk)
      func witness(_ disk: MemoryDisk) throws -> Witness {
        try Witness(key: witnessKey, logs: [key.verifier], directory: "/state", clock: { noon }, disk: disk)
      }
      let leaves = [MerkleTree.leaf([1]), MerkleTree.leaf([2])]
      let one = try SignedNote(origin: "play", size: 1, root: leaves[0], signedBy: key)
      let two = try SignedNote(origin: "play", size: 2, root: MerkleTree.node(leaves[0], leaves[1]), signedBy: key)
      _ = try witness(disk).answer(.init(oldSize: 0, proof: [], note: one)).get()
      disk.cutPower(afterCalls: calls)
      let answer = try? witness(disk).answer(.init(oldSize: 1, proof: [leaves[1]], note: two)).get()
      let after = try witness(disk.afterCut())
      // Rolled back: refused for certain if the later one was cosigned.
      let back = try after.answer(.init(oldSize: 1, proof: [], note: one))
      if answer != nil {
        #expect(throws: WitnessRefusal.self) { try back.get() }
        return
      }
      let again = try after.answer(.init(oldSize: 1, proof: [leaves[1]], note: two))
      #expect((try? back.get()) == nil || (try? again.get()) != nil)
    }
    Issue.record("the witness never came to its end")
  }

  @Test func `two requests at once: one line of logs is cosigned, never two`() async throws {
    let leaves = (0..<8).map { MerkleTree.leaf([UInt8($0)]) }
    let start = try SignedNote(origin: "play", size: 1, root: leaves[0], signedBy: key)
    let witness = try witness()
    _ = try witness.answer(.init(oldSize: 0, proof: [], note: start)).get()
    let requests = try (1..<8).map { index in
      WitnessRequest(
        oldSize: 1, proof: [leaves[index]],
        note: try SignedNote(
          origin: "play", size: 2, root: MerkleTree.node(leaves[0], leaves[index]), signedBy: key))
    }
    let cosigned = await withTaskGroup(of: Bool.self) { group in
      for request in requests {
        group.addTask { (try? witness.answer(request).get()) != nil }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(cosigned == 1)
    // And another process keeps out.
    let place = SecondPlace(directory: state, origin: "play", disk: SystemDisk())
    let claim = try place.claim()
    #expect(throws: StoreError(.locked, "")) { try witness.answer(requests[0]) }
    _ = claim
  }

  @Test func `a request is read as it is written, and nothing else is`() throws {
    try sign("a", "b", "c")
    let request = try request(from: 2)
    #expect(try WitnessRequest(text: request.text) == request)
    let text = request.text
    let many = (0..<64).map { _ in "\(MerkleTree.empty)\n" }.joined()
    for wrong in [
      "", "\n\n", "old 2", text.replacing("old 2\n", with: "old 02\n"), text.replacing("old 2\n", with: "old -1\n"),
      text.replacing("old 2\n", with: "old  2\n"), text.replacing("old 2\n", with: "new 2\n"),
      text.replacing("old 2\n", with: "old 18446744073709551616\n"), text.replacing("old 2\n", with: "old 2\nxx\n"),
      text.replacing("old 2\n", with: "old 2\n" + many), text.replacing("old 2\n", with: "old 2\n\n"),
      text.replacing("old 2\n", with: ""), String(text.dropLast()), text + "\n",
      text + String(repeating: "x", count: 1 << 17),
    ] {
      #expect(throws: StoreError(.malformed, ""), "\(wrong.prefix(60))") { try WitnessRequest(text: wrong) }
    }
  }

  @Test func `no older checkpoint is asked for in the place of a newest one that cannot be read`() throws {
    let (first, second) = (try sign("a"), try sign("b"))
    let layout = StoreLayout(folder.path)
    let (older, newer) = (layout.checkpoint(first.size), layout.checkpoint(second.size))
    let nothing = Array("nothing\n".utf8)
    // An older one hides nothing, nor does the file of one that `latest` has.
    try write(nothing, to: older)
    try write(nothing, to: newer)
    #expect(try request().note == second)
    try write(Array(first.text.utf8), to: older)
    try write(nothing, to: layout.latestCheckpoint)
    for size in [nil, first.size, second.size] {
      let error = #expect(throws: StoreError(.malformed, "")) { try request(from: size) }
      #expect(error?.file == newer)
    }
    // With it, `latest` is not needed, and stays as it is.
    try write(Array(second.text.utf8), to: newer)
    #expect(try request().note == second)
    #expect(try LogReader(directory: folder.path).trustedKeys(from: key.verifier) == [key.verifier])
    let lines = try witness().answer(request()).get()
    let cosigned = try Cosigning(store: folder.path).add(lines, from: witnessKey.verifier)
    #expect(try layout.note(at: newer, on: SystemDisk()) == cosigned && cosigned.signatures.count == 2)
    #expect(try bytes(of: layout.latestCheckpoint) == nothing)
  }

  @Test func `an answer that is of another checkpoint, or another witness, is not added`() throws {
    let other = try SigningKey(name: "example.com/w1", as: .cosignature)
    let first = try sign("a")
    let line = try first.cosignature(by: other, at: 7)
    let cosigning = Cosigning(store: folder.path)
    #expect(throws: StoreError(.keyMismatch, "")) { try cosigning.add(line, from: witnessKey.verifier) }
    for wrong in ["", "x\n", line + "x"] {
      #expect(throws: StoreError(.malformed, "")) { try cosigning.add(wrong, from: other.verifier) }
    }
    // A line of another key comes with the good one: it is left out.
    let both = try line + first.cosignature(by: witnessKey, at: 7)
    // An answer that comes late is added to the checkpoint that it is of.
    let second = try sign("b")
    #expect(try cosigning.add(both, from: witnessKey.verifier).signatures.count == 2)
    let layout = StoreLayout(folder.path)
    #expect(try layout.latestCheckpoint(on: SystemDisk()) == second)
    #expect(try layout.note(at: layout.checkpoint(first.size), on: SystemDisk())?.signatures.count == 2)
    // While a writer has the store, `latest` is left alone.
    let log = try EventLog.open(at: folder.path, options: LogOptions(clock: { noon }))
    _ = try cosigning.add(second.cosignature(by: witnessKey, at: 8), from: witnessKey.verifier)
    #expect(try layout.latestCheckpoint(on: SystemDisk()) == second)
    try log.close()
    let report = VerifyDemands(witnesses: [witnessKey.verifier]).applied(
      to: try Verifier(directory: folder.path, pinnedKey: key.verifier).run())
    #expect(report.verdict == .ok && report.cosigned.map(\.size) == [second.size])
  }
}
