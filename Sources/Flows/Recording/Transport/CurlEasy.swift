// A Swift wrapper for libcurl's easy handle, which makes one request at a time and is reused for the next.

internal import CCurl
internal import CCurlShim

/// Owns an easy handle. Options for all requests of a transport are set once, when the handle is created. Options for
/// one request are set by `prepare` and cleared by `clear`, so that an idle handle holds no secrets.
@safe
final class CurlEasy {
  /// The identity of a handle; libcurl reports finished transfers by it.
  struct ID: Hashable {
    private let address: UInt

    init(handle: UnsafeMutableRawPointer) { address = UInt(bitPattern: handle) }
  }

  /// Whether libcurl was initialized, once per process. The C function is `curl_global_init`.
  static let isLibraryReady = shim_global_init() == CURLE_OK

  /// The C handle, for `CurlMulti`.
  let handle: UnsafeMutableRawPointer
  /// The first error from setting an option. A handle with one must not be used.
  private var refusal = CURLE_OK
  private var lines: UnsafeMutablePointer<curl_slist>?

  /// Creates a handle; `nil` if there is no memory or libcurl rejects an option. The C function is `curl_easy_init`.
  init?(_ configuration: CurlTransport.Configuration) {
    guard Self.isLibraryReady, let handle = unsafe curl_easy_init() else { return nil }
    unsafe self.handle = handle
    unsafe lines = nil
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_ACCEPT_ENCODING, "")
    note(unsafe shim_allow_http_only(handle))
    note(unsafe shim_set_close_on_exec(handle))
    note(unsafe shim_do_not_wait_for_resolver(handle))
    setConnection(configuration)
    setTrust(configuration)
    guard refusal == CURLE_OK else { return nil }
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(lines)
  }

  /// The identity under which libcurl reports this handle.
  var id: ID { unsafe ID(handle: handle) }

  /// Sets the options for one request; returns `false` if libcurl has no memory for it.
  ///
  /// - Parameters:
  ///   - request: a request that `refusal(pinned:)` has accepted.
  ///   - sink: receives the response. It is not retained and must outlive the transfer in the multi handle.
  func prepare(_ request: HTTPRequest, sink: CurlTransfer) -> Bool {
    refusal = CURLE_OK
    set(CURLOPT_URL, request.url)
    setMethod(request.method, body: request.body)
    setLines(request.headers)
    // SAFETY: only the three callbacks of this handle use the context. They run inside `curl_multi_perform` while the
    // handle is in its multi handle, and the loop keeps the sink alive for that time.
    let context = unsafe Unmanaged.passUnretained(sink).toOpaque()
    note(unsafe shim_set_callbacks(handle, receiveHead, receiveBody, permitSending, context))
    return refusal == CURLE_OK
  }

  /// Clears the request: URL, header lines, body, and sink.
  func clear() {
    set(CURLOPT_URL, nil)
    set(CURLOPT_POSTFIELDS, nil)
    set(CURLOPT_CUSTOMREQUEST, nil)
    note(unsafe shim_set_list(handle, CURLOPT_HTTPHEADER, nil))
    note(unsafe shim_set_callbacks(handle, nil, nil, nil, nil))
    unsafe curl_slist_free_all(lines)
    unsafe lines = nil
  }

  /// The number of bytes sent, including those for opening a tunnel through a proxy. The C name is
  /// `CURLINFO_REQUEST_SIZE`.
  var requestBytesSent: Int { number(CURLINFO_REQUEST_SIZE) }

  /// OpenSSL's result for the certificate chain, 0 if it is valid. The C name is `CURLINFO_SSL_VERIFYRESULT`.
  var chainVerdict: Int { number(CURLINFO_SSL_VERIFYRESULT) }

  /// Whether the last transfer used HTTP/2. The C name is `CURLINFO_HTTP_VERSION`.
  var spokeHTTP2: Bool { number(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0) }

  /// Whether the connection of the last transfer is still open. The C name is `CURLINFO_ACTIVESOCKET`.
  var keptConnection: Bool { unsafe shim_has_socket(handle) != 0 }

  /// How long the phases of the last transfer took. The C names are `CURLINFO_NAMELOOKUP_TIME_T` and similar.
  var timing: HTTPTiming {
    // Phases that did not occur in this transfer are 0 or keep their values from the previous use of the connection.
    let isNew = number(CURLINFO_NUM_CONNECTS) > 0
    func time(_ info: CURLINFO) -> Int? {
      let time = offset(info)
      return isNew && time > 0 ? time : nil
    }
    let firstByte = offset(CURLINFO_STARTTRANSFER_TIME_T)
    return HTTPTiming(
      lookup: time(CURLINFO_NAMELOOKUP_TIME_T), connect: time(CURLINFO_CONNECT_TIME_T),
      secured: time(CURLINFO_APPCONNECT_TIME_T), firstByte: firstByte > 0 ? firstByte : nil,
      total: max(0, offset(CURLINFO_TOTAL_TIME_T)), bytes: max(0, offset(CURLINFO_SIZE_DOWNLOAD_T)))
  }

  private func setConnection(_ configuration: CurlTransport.Configuration) {
    set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
    set(CURLOPT_MAXAGE_CONN, Int(configuration.idleLifetime.components.seconds))
    set(CURLOPT_FORBID_REUSE, configuration.maxIdleConnections > 0 ? 0 : 1)
    switch configuration.httpVersion {
    case .negotiated: set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    case .http1: set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    case .priorKnowledge2: set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE))
    }
    switch configuration.proxy {
    case .none: set(CURLOPT_PROXY, "")
    case .environment: break
    case .url(let url):
      set(CURLOPT_PROXY, url)
      set(CURLOPT_NOPROXY, "")
    }
  }

  private func setTrust(_ configuration: CurlTransport.Configuration) {
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_PINNEDPUBLICKEY, configuration.pinnedPublicKey)
    switch configuration.certificateAuthorities {
    case .system: break
    case .file(let path):
      set(CURLOPT_CAINFO, path)
      // Debian's libcurl also has a directory of authorities; this disables it, so that no others are trusted.
      set(CURLOPT_CAPATH, nil)
    case .pem(let bytes):
      // SAFETY: libcurl copies the bytes before the closure returns.
      note(unsafe bytes.withUnsafeBytes { unsafe shim_set_blob(handle, CURLOPT_CAINFO_BLOB, $0.baseAddress, $0.count) })
      set(CURLOPT_CAPATH, nil)
    }
  }

  /// One of the three cases below fully determines how libcurl treats the body, regardless of the handle's earlier use.
  private func setMethod(_ method: String, body: [UInt8]?) {
    let carriesBody = body != nil || ["POST", "PUT", "PATCH"].contains(method)
    if carriesBody {
      set(CURLOPT_POST, 1)
      // SAFETY: libcurl copies the bytes before the closure returns.
      note(unsafe (body ?? []).withUnsafeBytes { unsafe shim_set_body(handle, $0.baseAddress, $0.count) })
      set(CURLOPT_CUSTOMREQUEST, method == "POST" ? nil : method)
    } else if method == "HEAD" {
      set(CURLOPT_NOBODY, 1)
      set(CURLOPT_CUSTOMREQUEST, nil)
    } else {
      set(CURLOPT_HTTPGET, 1)
      set(CURLOPT_CUSTOMREQUEST, method == "GET" ? nil : method)
    }
  }

  /// The given lines, plus `Name:` for each line that libcurl would otherwise add, which makes it leave that line out.
  private func setLines(_ fields: [HTTPField]) {
    var isComplete = true
    func append(_ line: String) {
      guard let longer = unsafe curl_slist_append(lines, line) else { return isComplete = false }
      unsafe lines = longer
    }
    for field in fields {
      let value = field.value.drop { $0 == " " || $0 == "\t" }
      // `Name;` makes libcurl send a field without a value.
      append(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
    }
    for name in ["Accept", "Accept-Encoding", "Content-Type", "Expect", "Proxy-Connection"]
    where !fields.contains(where: { $0.name.caseInsensitivelyEquals(name) }) {
      append("\(name):")
    }
    note(isComplete ? unsafe shim_set_list(handle, CURLOPT_HTTPHEADER, lines) : CURLE_OUT_OF_MEMORY)
  }

  private func set(_ option: CURLoption, _ value: Int) { note(unsafe shim_set_long(handle, option, value)) }

  private func set(_ option: CURLoption, _ text: String?) {
    guard let text else { return note(unsafe shim_set_text(handle, option, nil)) }
    note(unsafe shim_set_text(handle, option, text))
  }

  private func note(_ code: CURLcode) { if refusal == CURLE_OK { refusal = code } }

  private func number(_ info: CURLINFO) -> Int {
    var value = 0
    // SAFETY: all infos read through this method are longs; on failure, the value stays 0.
    _ = unsafe shim_get_long(handle, info, &value)
    return value
  }

  private func offset(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    // SAFETY: all infos read through this method are offsets; on failure, the value stays 0.
    _ = unsafe shim_get_offset(handle, info, &value)
    return Int(clamping: value)
  }
}

/// Receives a header line. Returning fewer bytes than given ends the transfer.
private func receiveHead(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context = unsafe context else { return 0 }
  // SAFETY: the context is the sink passed to `prepare`, and libcurl provides `size * count` bytes for this call.
  let sink = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  return sink.receive(line: unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: size * count)))
    ? size * count : 0
}

/// Receives a decoded piece of the body. Returning fewer bytes than given ends the transfer.
private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context = unsafe context else { return 0 }
  // SAFETY: as in `receiveHead`.
  let sink = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  return unsafe sink.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

/// Called by libcurl before it sends on a connection, and again before it sends a second time.
private func permitSending(
  _ context: UnsafeMutableRawPointer?, _ ip: UnsafeMutablePointer<CChar>?, _ localIP: UnsafeMutablePointer<CChar>?,
  _ port: CInt, _ localPort: CInt
) -> CInt {
  guard let context = unsafe context else { return CURL_PREREQFUNC_ABORT }
  // SAFETY: as in `receiveHead`.
  let sink = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  return sink.permitsSending() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

extension Duration {
  /// In milliseconds, rounded up, at least 1 (0 means «no limit» to libcurl) and at most 24 days.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}
