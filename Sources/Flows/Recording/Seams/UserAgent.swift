// The SDK's user agent: product, system, machine (authn §1.2).

import Foundation

/// The `User-Agent` of this process.
public enum UserAgent {
  /// Product and version of this SDK.
  public static let product = "FlowRecorder/0.1.0"

  /// Product, `Linux/{kernel release}`, `Device/{machine}`; read once.
  public static let current: String = {
    var names = utsname()
    guard unsafe uname(&names) == 0 else { return product }
    let release = unsafe withUnsafeBytes(of: names.release) { unsafe text($0) }
    let machine = unsafe withUnsafeBytes(of: names.machine) { unsafe text($0) }
    return "\(product) Linux/\(release) Device/\(machine)"
  }()

  private static func text(_ field: UnsafeRawBufferPointer) -> String {
    // SAFETY: the buffer is borrowed for the duration of the call and copied byte by byte.
    unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }
}
