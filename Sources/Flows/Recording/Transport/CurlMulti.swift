// libcurl's multi handle, named in Swift: the connections of one transport and what is under way on them.

internal import CCurl
internal import CCurlShim

/// Owner of a multi handle.
///
/// `@unchecked Sendable`: made on one thread and handed to the transport's, which alone uses it from then on, but for
/// `wakeUp`, which libcurl allows from any thread. Freed when both have let go.
@safe
final class CurlMulti: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  /// Nil if memory or file descriptors are lacking. The corresponding C function is `curl_multi_init`.
  init?(_ configuration: CurlTransport.Configuration) {
    guard CurlEasy.isLibraryReady, let handle = unsafe curl_multi_init() else { return nil }
    unsafe self.handle = handle
    var isSet = true
    func set(_ option: CURLMoption, _ value: Int) {
      // SAFETY: each option below takes a long, and the handle is live.
      isSet = unsafe shim_multi_set_long(handle, option, value) == CURLM_OK && isSet
    }
    set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    set(CURLMOPT_MAX_HOST_CONNECTIONS, max(0, configuration.maxConnectionsPerHost))
    // 0 would mean «as many as libcurl likes»; none at all is asked of each easy handle instead.
    set(CURLMOPT_MAXCONNECTS, max(1, configuration.maxIdleConnections))
    // A multi handle without descriptors for its wake-up is made all the same, and would never receive an order.
    isSet = wakeUp() && isSet
    guard isSet else { return nil }
  }

  deinit { unsafe curl_multi_cleanup(handle) }

  /// Makes a `poll` that sleeps, or the next one, return. From any thread. The C function is `curl_multi_wakeup`.
  @discardableResult
  func wakeUp() -> Bool { unsafe curl_multi_wakeup(handle) == CURLM_OK }

  /// Hands a transfer over; it must stay alive until it is removed. The C function is `curl_multi_add_handle`.
  func add(_ easy: CurlEasy) -> Bool { unsafe curl_multi_add_handle(handle, easy.handle) == CURLM_OK }

  /// Takes a transfer back, ended or not. The C function is `curl_multi_remove_handle`.
  func remove(_ easy: CurlEasy) { unsafe curl_multi_remove_handle(handle, easy.handle) }

  /// Does what can be done without waiting. The C function is `curl_multi_perform`.
  func perform() -> Bool {
    var running: CInt = 0
    return unsafe curl_multi_perform(handle, &running) == CURLM_OK
  }

  /// Sleeps until there is something to do, a wake-up, or the time is over. The C function is `curl_multi_poll`.
  func poll(milliseconds: Int32) -> Bool {
    unsafe curl_multi_poll(handle, nil, 0, milliseconds, nil) == CURLM_OK
  }

  /// The next transfer that has ended, by the identity of its easy handle, with libcurl's verdict.
  func nextEnded() -> (CurlEasy.ID, CURLcode)? {
    var code = CURLE_OK
    guard let easy = unsafe shim_multi_next_ended(handle, &code) else { return nil }
    return (unsafe CurlEasy.ID(handle: easy), code)
  }
}
