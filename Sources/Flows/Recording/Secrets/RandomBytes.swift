/// Random bytes from the operating system, suitable for keys and salts. They never reach a flow, so no replay needs
/// them.
package enum RandomBytes {
  /// Returns the given number of random bytes.
  package static func make(count: Int) -> [UInt8] {
    let entropy = SystemEntropy()
    var bytes: [UInt8] = []
    while bytes.count < count {
      let bits = entropy.next()
      for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    }
    return Array(bytes.prefix(count))
  }
}
