// libcurl's easy handle, named in Swift: one request at a time, used again for the next.

internal import CCurl
internal import CCurlShim

/// Owner of an easy handle. What holds for all requests of a transport is set once, when the handle is made; what
/// belongs to one request is set by `prepare` and cleared by `clear`, so that an idle handle keeps no secret.
@safe
final class CurlEasy {
  /// Which handle it is; libcurl names an ended transfer by it.
  struct ID: Hashable {
    private let address: UInt

    init(handle: UnsafeMutableRawPointer) { address = UInt(bitPattern: handle) }
  }

  /// Whether libcurl could be set up, once for the process. The C function is `curl_global_init`.
  static let isLibraryReady = shim_global_init() == CURLE_OK

  /// The C handle, for `CurlMulti`.
  let handle: UnsafeMutableRawPointer
  /// The first option that libcurl refused; a handle with one must not be used.
  private var refusal = CURLE_OK
  private var lines: UnsafeMutablePointer<curl_slist>?

  /// Nil if memory is lacking or libcurl refuses an option. The C function is `curl_easy_init`.
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

  /// Sets what belongs to one request; `false` if libcurl has no memory for it.
  ///
  /// - Parameters:
  ///   - request: a request that `refusal(pinned:)` has passed.
  ///   - sink: called for what comes back. Not retained: it must live until the handle is out of its multi handle.
  func prepare(_ request: HTTPRequest, sink: CurlTransfer) -> Bool {
    refusal = CURLE_OK
    set(CURLOPT_URL, request.url)
    setMethod(request.method, body: request.body)
    setLines(request.headers)
    // SAFETY: the context is used by the three callbacks of this handle alone, which run inside `curl_multi_perform`
    // while the handle is in its multi handle; the loop keeps the sink alive for as long.
    let context = unsafe Unmanaged.passUnretained(sink).toOpaque()
    note(unsafe shim_set_callbacks(handle, receiveHead, receiveBody, permitSending, context))
    return refusal == CURLE_OK
  }

  /// Forgets the request: URL, header lines, body, sink.
  func clear() {
    set(CURLOPT_URL, nil)
    set(CURLOPT_POSTFIELDS, nil)
    set(CURLOPT_CUSTOMREQUEST, nil)
    note(unsafe shim_set_list(handle, CURLOPT_HTTPHEADER, nil))
    note(unsafe shim_set_callbacks(handle, nil, nil, nil, nil))
    unsafe curl_slist_free_all(lines)
    unsafe lines = nil
  }

  /// How many bytes have been sent, those that open a tunnel through a proxy among them. The C name is
  /// `CURLINFO_REQUEST_SIZE`.
  var requestBytesSent: Int { number(CURLINFO_REQUEST_SIZE) }

  /// OpenSSL's verdict on the certificate chain, 0 if it was good. The C name is `CURLINFO_SSL_VERIFYRESULT`.
  var chainVerdict: Int { number(CURLINFO_SSL_VERIFYRESULT) }

  /// Whether the last transfer was one of HTTP/2. The C name is `CURLINFO_HTTP_VERSION`.
  var spokeHTTP2: Bool { number(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0) }

  /// Whether the connection of the last transfer is open still. The C name is `CURLINFO_ACTIVESOCKET`.
  var keptConnection: Bool { unsafe shim_has_socket(handle) != 0 }

  /// How long the parts of the last transfer took. The C names are `CURLINFO_NAMELOOKUP_TIME_T` and the like.
  var timing: HTTPTiming {
    // What did not happen in this transfer is 0, or what it was on the connection before.
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
      // Debian's libcurl has a folder of authorities beside the file; «no others» takes it away.
      set(CURLOPT_CAPATH, nil)
    case .pem(let bytes):
      // SAFETY: libcurl copies the bytes before the closure returns.
      note(unsafe bytes.withUnsafeBytes { unsafe shim_set_blob(handle, CURLOPT_CAINFO_BLOB, $0.baseAddress, $0.count) })
      set(CURLOPT_CAPATH, nil)
    }
  }

  /// Exactly one of the three switches below decides what libcurl does with the body, whatever the handle did before.
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

  /// The given lines, and `Name:` for each line that libcurl would add of itself: in its language, «leave it out».
  private func setLines(_ fields: [HTTPField]) {
    var isComplete = true
    func append(_ line: String) {
      guard let longer = unsafe curl_slist_append(lines, line) else { return isComplete = false }
      unsafe lines = longer
    }
    for field in fields {
      let value = field.value.drop { $0 == " " || $0 == "\t" }
      // `Name;` is libcurl's way to send a field without value.
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
    // SAFETY: the infos asked for above are longs; on failure the value stays 0.
    _ = unsafe shim_get_long(handle, info, &value)
    return value
  }

  private func offset(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    // SAFETY: the infos asked for above are offsets; on failure the value stays 0.
    _ = unsafe shim_get_offset(handle, info, &value)
    return Int(clamping: value)
  }
}

/// A header line. Fewer bytes taken than given end the transfer.
private func receiveHead(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context = unsafe context else { return 0 }
  // SAFETY: the context is the sink that `prepare` was given, and libcurl lends `size * count` bytes for this call.
  let sink = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  return sink.receive(line: unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: size * count)))
    ? size * count : 0
}

/// A piece of the body, decoded. Fewer bytes taken than given end the transfer.
private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context = unsafe context else { return 0 }
  // SAFETY: as in `receiveHead`.
  let sink = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  return unsafe sink.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

/// Asked by libcurl when it is about to send on a connection, and again when it is about to send anew.
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
