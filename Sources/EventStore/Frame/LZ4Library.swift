import CLZ4

/// The LZ4 library that this process has loaded.
package enum LZ4Library {
  /// Its version: `1.9.4`.
  package static var version: String {
    // SAFETY: the library's own constant, which ends with a zero.
    unsafe String(cString: LZ4_versionString())
  }
}
