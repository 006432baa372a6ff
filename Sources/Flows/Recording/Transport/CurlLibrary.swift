internal import CCurl

/// The libcurl that this process has loaded.
package enum CurlLibrary {
  /// The version of libcurl and its components: `libcurl/8.5.0 OpenSSL/3.0.13 …`.
  package static var version: String {
    // SAFETY: this is the library's own zero-terminated text.
    unsafe String(cString: curl_version())
  }
}
