import EventStore

/// What the subject appends: the content follows from who appends and how many came before, so that whoever reads a
/// record can recognize one that was changed or invented.
struct SubjectRecord: Hashable {
  /// Who appended it.
  var appender: Int
  /// How many this appender had offered before.
  var number: Int

  /// The content: 60 to 600 bytes that compress badly.
  var data: [UInt8] {
    var state = UInt64(bitPattern: Int64(appender)) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(bitPattern: Int64(number))
    var noise = ""
    for _ in 0...(number % 7 == 0 ? 40 : number % 5) {
      state = (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9 &+ 1
      noise += String(state, radix: 36)
    }
    return Array("{\"by\":\(appender),\"number\":\(number),\"noise\":\"\(noise)\"}".utf8)
  }

  /// The stream it goes to.
  var stream: String { "subject/\(appender)/\(number % 3)" }

  init(appender: Int, number: Int) {
    self.appender = appender
    self.number = number
  }

  /// Reads back a record of the log; nil if it is not the subject's, or not as it was appended.
  init?(_ record: StoredRecord) {
    guard let json = try? JSON(parsing: Array(record.data)), let appender = json["by"]?.int,
      let number = json["number"]?.int
    else { return nil }
    self.init(appender: appender, number: number)
    guard Array(record.data) == data, record.stream == stream else { return nil }
  }
}
