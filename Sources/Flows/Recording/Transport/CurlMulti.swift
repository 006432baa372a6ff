// A Swift wrapper for libcurl's multi handle: a transport's connections and the transfers in progress.

internal import CCurl
internal import CCurlShim

/// Owns a multi handle.
///
/// `@unchecked Sendable`: it is created on one thread and passed to the transport's thread, which is then the only one
/// to use it, except for `wakeUp`, which libcurl allows from any thread. It is freed when both have released it.
@safe
final class CurlMulti: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  /// Creates a handle; `nil` if there is no memory or no file descriptor. The C function is `curl_multi_init`.
  init?(_ configuration: CurlTransport.Configuration) {
    guard CurlEasy.isLibraryReady, let handle = unsafe curl_multi_init() else { return nil }
    unsafe self.handle = handle
    var isSet = true
    func set(_ option: CURLMoption, _ value: Int) {
      // SAFETY: every option below takes a long, and the handle is valid.
      isSet = unsafe shim_multi_set_long(handle, option, value) == CURLM_OK && isSet
    }
    set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    set(CURLMOPT_MAX_HOST_CONNECTIONS, max(0, configuration.maxConnectionsPerHost))
    // 0 would leave the number to libcurl. If no connections are to be kept, each easy handle is configured that way
    // instead.
    set(CURLMOPT_MAXCONNECTS, max(1, configuration.maxIdleConnections))
    // A multi handle is created even if it has no descriptors for wake-ups, but it would then never receive an order.
    isSet = wakeUp() && isSet
    guard isSet else { return nil }
  }

  deinit { unsafe curl_multi_cleanup(handle) }

  /// Makes the current or next `poll` return. May be called from any thread. The C function is `curl_multi_wakeup`.
  @discardableResult
  func wakeUp() -> Bool { unsafe curl_multi_wakeup(handle) == CURLM_OK }

  /// Adds a transfer, which must stay alive until it is removed. The C function is `curl_multi_add_handle`.
  func add(_ easy: CurlEasy) -> Bool { unsafe curl_multi_add_handle(handle, easy.handle) == CURLM_OK }

  /// Removes a transfer, whether or not it has ended. The C function is `curl_multi_remove_handle`.
  func remove(_ easy: CurlEasy) { unsafe curl_multi_remove_handle(handle, easy.handle) }

  /// Does everything that is possible without waiting. The C function is `curl_multi_perform`.
  func perform() -> Bool {
    var running: CInt = 0
    return unsafe curl_multi_perform(handle, &running) == CURLM_OK
  }

  /// Sleeps until there is work, a wake-up, or a timeout. The C function is `curl_multi_poll`.
  func poll(milliseconds: Int32) -> Bool {
    unsafe curl_multi_poll(handle, nil, 0, milliseconds, nil) == CURLM_OK
  }

  /// Returns the next finished transfer, identified by its easy handle, with libcurl's result.
  func nextEnded() -> (CurlEasy.ID, CURLcode)? {
    var code = CURLE_OK
    guard let easy = unsafe shim_multi_next_ended(handle, &code) else { return nil }
    return (unsafe CurlEasy.ID(handle: easy), code)
  }
}
