internal import CCurl

/// The libcurl that this process has loaded.
package enum CurlLibrary {
  /// What it says of itself and of its parts: `libcurl/8.5.0 OpenSSL/3.0.13 …`.
  package static var version: String {
    // SAFETY: the library's own text, which ends with a zero.
    unsafe String(cString: curl_version())
  }
}
