// libFuzzer over what reads bytes in the store. The entry is named by FUZZ_ENTRY; with FUZZ_SEEDS the good inputs of all
// entries are written under that folder instead, one folder an entry.
import EventStore
import Foundation

private let entry = ProcessInfo.processInfo.environment["FUZZ_ENTRY"].flatMap { FuzzEntry(rawValue: $0) }

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ function: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let fault = entry?.fault(in: bytes) { fatalError(fault) }
  return 0
}

/// The name that the package manager gives to `main` of this target.
@_cdecl("Fuzz_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  if let folder = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] { return writeSeeds(to: folder) }
  guard entry != nil else {
    print("FUZZ_ENTRY is one of \(FuzzEntry.allCases.map(\.rawValue).joined(separator: ", "))")
    return 64
  }
  var count = count
  var arguments = arguments
  return withUnsafeMutablePointer(to: &arguments) { runDriver(&count, $0, testOneInput) }
}

private func writeSeeds(to folder: String) -> CInt {
  do {
    for (entry, seeds) in try FuzzEntry.seeds(in: folder + "/store") {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(entry)", withIntermediateDirectories: true)
      for (number, seed) in seeds.enumerated() {
        try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/\(entry)/seed-\(number)"))
      }
    }
    return 0
  } catch {
    print("fuzz: \(error)")
    return 1
  }
}
