import Testing

@testable import EventStore
@testable import FlowRecording

/// What a recorder says of its own life in the log: when it ran, and when it did not.
@Suite struct RecorderLifeTests {
  private let disk = MemoryDisk(seed: 11)
  private let time = VirtualTime(start: Timestamp(microseconds: 1_795_255_200_000_000))
  private let store = "/volume/audit"

  private var options: LogOptions {
    var options = LogOptions(durability: .os, origin: "play", clock: { Timestamp(microseconds: 0) })
    options.disk = disk
    return options
  }

  private func recorder(_ auditing: Auditing = .required, heartbeat: Duration? = .seconds(900)) -> LogRecorder {
    LogRecorder(
      directory: store, auditing: auditing, options: options, clock: time, timers: time, heartbeat: heartbeat)
  }

  /// The type, seconds since the start and data of what recorders said of themselves.
  private func said() throws -> [String] {
    var cursor = try LogReader(directory: store, disk: disk).cursor()
    var lines: [String] = []
    while let record = try cursor.next() {
      guard record.type.hasPrefix("recorder.") else { continue }
      #expect(record.stream == "log" && record.version == 1)
      let seconds = (record.at.microseconds - 1_795_255_200_000_000) / 1_000_000
      lines.append("\(record.type) \(seconds) \(String(decoding: record.data, as: UTF8.self))")
    }
    return lines
  }

  @Test("it says when it starts, that it runs, and when it stops")
  func life() throws {
    let recorder = recorder()
    try recorder.open()
    time.advance(milliseconds: 1_900_000)
    try recorder.close()
    time.advance(milliseconds: 3_600_000)  // nothing beats after the end
    #expect(time.pending == 0)
    #expect(
      try said() == [
        #"recorder.started 0 {"sdk":"\#(UserAgent.product)","auditing":"required","heartbeat":900000}"#,
        "recorder.heartbeat 900 {}", "recorder.heartbeat 1800 {}", "recorder.stopped 1900 {}",
      ])
  }

  @Test("nothing is said before the log is open, and no heartbeat that was not promised")
  func silent() throws {
    let recorder = recorder(.bestEffort, heartbeat: nil)
    time.advance(milliseconds: 5_000)
    try recorder.open()
    #expect(time.pending == 0)
    time.advance(milliseconds: 100_000_000)
    try recorder.close()
    #expect(
      try said() == [
        #"recorder.started 5 {"sdk":"\#(UserAgent.product)","auditing":"bestEffort"}"#, "recorder.stopped 100005 {}",
      ])
  }

  @Test("a heartbeat is between a second and a year", arguments: [Duration.zero, .seconds(-5), .seconds(Int64.max)])
  func bounds(_ asked: Duration) throws {
    let recorder = recorder(heartbeat: asked)
    #expect(recorder.heartbeat == (asked > .zero ? .seconds(31_536_000) : .seconds(1)))
    try recorder.open()
    #expect(time.untilNextTimer == (asked > .zero ? 31_536_000_000 : 1_000))
    try recorder.close()
  }

  @Test("a recorder that is dropped beats no more, and its end is not said")
  func dropped() throws {
    do {
      let recorder = recorder()
      try recorder.open()
    }
    #expect(time.pending == 0)
    let next = recorder()
    try next.open()
    try next.close()
    #expect(try said().map { $0.prefix(16) } == ["recorder.started", "recorder.started", "recorder.stopped"])
  }

  @Test("the checkpoint of the end covers what is said of the end")
  func signed() throws {
    let key = try SigningKey(name: "play")
    let recorder = recorder()
    try recorder.open()
    let note = try #require(try recorder.close(signing: key))
    let report = try Verifier(directory: store, pinnedKey: key.verifier, disk: disk).run()
    #expect(report.verdict == .ok && report.records == note.size)
    #expect(try said().count == 2)
  }

}
