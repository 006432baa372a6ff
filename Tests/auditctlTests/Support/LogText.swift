// Logs whose times are known, written by `append`.

import Testing

/// The lines that `auditctl append` takes for flows that began at given times.
struct LogText {
  private(set) var lines: [String] = []

  /// A flow of a user, with so many milliseconds between its two events.
  mutating func add(_ flow: String, user: String, at time: String, milliseconds: Int = 5, outcome: String = "success") {
    let end = time.dropLast() + "." + String(String(1_000 + milliseconds).dropFirst()) + "Z"
    lines.append(
      #"{"stream":"\#(flow)","type":"flow.started","at":"\#(time)","data":{"kind":"authn","sdk":"s","settings":{}}}"#)
    lines.append(
      #"{"stream":"\#(flow)","type":"call.made","at":"\#(time)","data":{"call":"authenticate","arguments":{"username":"\#(user)"}}}"#
    )
    lines.append(
      #"{"stream":"\#(flow)","type":"flow.ended","at":"\#(end)","data":{"outcome":"\#(outcome)"}}"#)
  }

  /// Writes a store.
  func write(to store: String, in folder: Folder) throws {
    let input = lines.joined(separator: "\n")
    let run = try Program.run(["append", "--store", store], input: input, in: folder)
    #expect(run.code == 0, "\(run.errors)")
  }
}
