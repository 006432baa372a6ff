// Collects the results of the application's plug-ins for a challenge (spec/device.md §10.2).

import EventStore
import FlowRecording
import Foundation

extension DeviceServices {
  /// The value of the draw that asks the plug-ins: one result for each name that has one.
  func collect(_ input: JSON, at now: Timestamp) async -> JSON {
    var results: [JSON] = []
    for name in (input["names"]?.array ?? []).compactMap(\.string) {
      guard let plugin = plugins.first(where: { $0.name == name }) else { continue }
      results.append(await Self.result(of: plugin, at: now))
    }
    return ["results": .array(results)]
  }

  private static func result(of plugin: any SignalPlugin, at now: Timestamp) async -> JSON {
    let head: [(String, JSON?)] = [("name", .string(plugin.name)), ("type", .string(plugin.source.rawValue))]
    do throws(SignalError) {
      let bytes = try await plugin.collect()
      guard bytes.count <= SignalFile.limit else { throw SignalError("the signal is larger than 1 MiB") }
      guard (try? JSON(parsing: bytes)) != nil else { throw SignalError("the signal is not JSON") }
      let seconds = Int(clamping: now.microseconds / 1_000_000)
      return .members(head + [("signal", base64(bytes)), ("timeCollected", .int(seconds))])
    } catch {
      return .members(head + [("error", base64(Array(error.text.utf8))), ("errorCode", error.code.map(JSON.int))])
    }
  }

  private static func base64(_ bytes: [UInt8]) -> JSON { .string(Data(bytes).base64EncodedString()) }
}
