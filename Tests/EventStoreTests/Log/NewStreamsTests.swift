import Testing

@testable import EventStore

@Suite struct NewStreamsTests {
  /// What one pass over a batch cannot answer is asked for at once: the work does not grow with the square of the streams.
  @Test(arguments: [1, 2, 300, 3_000]) func `a batch is looked through twice, however many streams it begins`(
    _ streams: Int
  ) throws {
    var queue = AppendQueue(size: 0)
    queue.learn(older: OlderStreams())
    let batch = (0..<2 * streams).map { record("s/\($0 % streams)") }
    var passes = 0
    var ticket: Ticket?
    while ticket == nil, passes < 10 {
      passes += 1
      switch try queue.offer(batch, expecting: .any, hasIds: false) {
      case .taken(let taken, _): ticket = taken
      case .obstacle(.unknownStreams(let unknown)):
        #expect(unknown.count == streams && Set(unknown).count == streams)
        queue.learn(next: unknown.map { ($0, 0) }, asOf: queue.forgettings)
      case .obstacle(let other): Issue.record("\(other)")
      }
    }
    #expect(passes == 2 && ticket?.positions == 0..<UInt64(2 * streams))
  }

  /// More streams than the cache of revisions keeps, in one batch, of which some stand in the log already.
  @Test func `a batch of more streams than are remembered gets the right revisions`() throws {
    let store = try TemporaryStore()
    let options = LogOptions(segmentBytes: 2 << 10, frameBytes: 1 << 10)
    func batch(_ numbers: some Sequence<Int>) -> [NewRecord] {
      numbers.map { NewRecord(at: noon, stream: "s\($0)", type: "t", data: Array("{}".utf8)) }
    }
    let log = try EventLog.open(at: store.path, options: options)
    for start in stride(from: 0, to: 2_000, by: 500) {
      pass(log, try log.append(batch(start..<start + 500)))
      try log.sync()
    }
    try log.close()
    #expect(try store.segments().count > 1)

    let again = try EventLog.open(at: store.path, options: options)
    pass(again, try again.append(batch(0..<34_000)))
    pass(again, try again.append(batch((0..<34_000).reversed())))
    try again.close()
    var next: [String: Int] = [:]
    for record in try records(in: store.path) where record.stream != EventLog.ownStream {
      #expect(record.revision == next[record.stream, default: 0])
      next[record.stream, default: 0] += 1
    }
    #expect(next.count == 34_000 && next["s7"] == 3 && next["s1999"] == 3 && next["s2000"] == 2)
  }

  @Test func `a revision that was looked up before many others were forgotten is looked up again`() throws {
    var queue = AppendQueue(size: 0)
    queue.learn(older: OlderStreams())
    let before = queue.forgettings
    for half in 0..<2 {
      queue.learn(next: (0..<20_000).map { ("s/\(half)/\($0)", 0) }, asOf: queue.forgettings)
      _ = try queue.offer([record("s/\(half)/0")], expecting: .any, hasIds: false)
    }
    queue.learn(next: [("late", 5)], asOf: before)
    guard case .obstacle(.unknownStreams(["late"])) = try queue.offer([record("late")], expecting: .any, hasIds: false)
    else {
      Issue.record("the revision was believed")
      return
    }
  }

  @Test func `however many streams are begun, what is remembered of them takes no more`() {
    var begun = BegunStreams()
    let count = 3 * BegunStreams.limit
    for number in 0..<count { begun.insert("s/\(number)".hashValue) }
    #expect(begun.byteCount <= 16 << 20)
    #expect((0..<count).allSatisfy { begun.mayHave("s/\($0)".hashValue) })
    let wrong = (0..<10_000).filter { begun.mayHave("another/\($0)".hashValue) }.count
    #expect(wrong < 100, "\(wrong)")

    var few = BegunStreams()
    for number in 0..<100 { few.insert("s/\(number)".hashValue) }
    #expect(few.byteCount < 8 << 10 && few.mayHave("s/7".hashValue) && !few.mayHave("s/100".hashValue))
  }
}
