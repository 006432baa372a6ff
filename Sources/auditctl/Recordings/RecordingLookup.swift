// From what a person typed to a recording: a file, or a flow of a store.

import AuditReports
import EventStore
import FlowKinds
import FlowRecording
import Replay

enum RecordingLookup {
  /// A recording, and what it was cut from.
  struct Found {
    var recording: Recording
    var source: StoreIdentity
  }

  /// The recording of a file, or of the flow of that name if stores are given.
  ///
  /// - Throws: exit 66 if there is none, 65 if it is damaged.
  static func find(_ name: String, in stores: [String]) throws -> Found {
    guard stores.isEmpty else {
      let found = try FlowLookup.find(name, in: stores.map { try LogSource(path: $0) })
      let recording = try Recording(name: found.stream, records: found.records)
      return Found(recording: recording, source: found.log.identity)
    }
    let bytes = try InputFile.recording(name)
    let source = (try? SliceFile.read(bytes: bytes).header).map { StoreIdentity(id: $0.store, origin: $0.origin) }
    return Found(recording: try Recording(name: name, bytes: bytes), source: source ?? Recording.source)
  }
}

extension Recording {
  /// The error of the first flow whose beginning is missing, or that is of a kind, or of a version, that this program
  /// does not know.
  var unknownKind: ReplayError? {
    flows.first { KindRegistry.standard.kind(of: $0.records) == nil }.map { .noKind(of: $0) }
  }

  /// A sentence on the first event of the runtime in a version that this program does not know; `nil` if there is none.
  var unknownVersion: String? {
    flows.lazy.compactMap { flow in flow.records.lazy.compactMap(\.event.unknownVersion).first }.first
  }

  /// Refuses a recording with a flow that cannot be run again. The error names the file too: several files may have
  /// flows of one name.
  ///
  /// - Throws: exit 65 if there is an `unknownKind`.
  func refuseUnknownKinds() throws(CommandFailure) {
    guard let error = unknownKind else { return }
    let place = flows.contains { $0.stream == name } ? "" : "\(name.printable): "
    throw CommandFailure(.malformed, place + error.description)
  }
}
