// Forms, requests that are refused, origins, and the heads of responses.

import EventStore

extension RuntimeTables {
  private static let addresses = [
    "https://acme.example", "https://acme.example/", "https://acme.example:443/a?b=c#d", "https://ACME.example/a",
    "https://acme.example:8443/a", "http://acme.example/a", "http://acme.example:80/a", "http://localhost:8080/a",
    "http://app.localhost/a", "http://notlocalhost/a", "http://127.0.0.1/a", "http://127.1.2.3:9/a",
    "http://127.0.0.256/a", "http://128.0.0.1/a", "http://127.0.0/a", "http://[::1]:80/a", "http://[::2]/a",
    "HTTP://localhost/a", "HTTPS://acme.example/a", "https://ann@acme.example/a", "http://ann@localhost/a",
    "ftp://acme.example/a", "acme.example/a", "/a", "", "https://", "https://acme.example/ä",
    "https://acme.example/a b",
    "https://acme.example/?", "https://acme.example/a?b&c=%20+d", "https://acme.example#f", "https:///a",
    "//acme.example",
    "https://acme.example/\u{7F}", "https://acme.example/\n", "https://acme.example?x=y/z",
  ]

  static var forms: [String] {
    let objects: [JSON] = [
      [:], ["a": "b"], ["a": .null, "b": ""], ["a b": "ü&=+%~._-*"], ["n": 5, "t": true, "f": false], ["l": [1, "x"]],
      ["o": ["p": .null]], ["a": "1", "a2": "2", "c": "3"], ["€": "\u{0}\u{7F}\n"], [], "text", .null,
    ]
    let bodies = objects.map { line($0.text, String(decoding: FormEncoding.bytes($0), as: UTF8.self)) }
    let urls = addresses.flatMap { address in
      objects[0..<3].map { line("\(address) \($0.text)", FormEncoding.url(address, query: $0)) }
    }
    let ends = ["https://a.example/?x=1", "https://a.example/?x=1&", "https://a.example/?", "https://a.example/?#f"]
      .map { line($0, FormEncoding.url($0, query: ["q": "1"])) }
    let ascii = String(String.UnicodeScalarView((0..<128).compactMap { Unicode.Scalar($0) }))
    return bodies + urls + ends + [line("ascii", FormEncoding.encoded(ascii)), line("é", FormEncoding.encoded("é€"))]
  }

  static var requests: [String] {
    func outcome(_ request: HTTPRequest, pinned: Bool = false, clear: Bool = false) -> String {
      request.refusal(pinned: pinned, allowsClearText: clear).map { "\($0)" } ?? "sent"
    }
    var lines = addresses.flatMap { address in
      [(false, false), (true, false), (false, true), (true, true)].map { pinned, clear in
        line(
          "\(address) \(pinned) \(clear)",
          outcome(HTTPRequest(method: "GET", url: address), pinned: pinned, clear: clear))
      }
    }
    for method in [
      "GET", "post", "DELETE", "TRACE", "trace", "CONNECT", "Connect", "", "GET ", "G\u{E4}T", "M-SEARCH", "A/B",
    ] {
      lines.append(line(method, outcome(HTTPRequest(method: method, url: "https://acme.example/"))))
    }
    let fields = [
      ("Accept", "application/json"), ("Accept", ""), ("Accept", "a\tb"), ("Accept", "a\nb"), ("Accept", "a\rb"),
      ("Accept", "a\u{0}"), ("Accept", "a\u{7F}"), ("Accept", "Zoë ünd €"), ("Accept", "a\u{1F}"), ("", "a"),
      ("A B", "a"),
      ("A:B", "a"), ("Ä", "a"), ("X-1!#$%&'*+-.^_`|~", "a"), ("Content-Length", "1"), ("content-length", "1"),
      ("TRANSFER-ENCODING", "chunked"), ("Content-Lengths", "1"), ("X(Y", "a"),
    ]
    for (name, value) in fields {
      let request = HTTPRequest(method: "GET", url: "https://acme.example/", headers: [HTTPField(name, value)])
      lines.append(line("\(name): \(value)", outcome(request)))
    }
    let request = HTTPRequest(
      method: "POST", url: "https://acme.example/", headers: [HTTPField("A", "secret")], body: Array("secret".utf8))
    let response = HTTPResponse(status: 401, headers: [HTTPField("A", "secret")], body: Array("secret".utf8))
    return lines + ["\(request)", request.debugDescription, "\(response)", response.debugDescription]
  }

  static var origins: [String] {
    addresses.flatMap { address in
      let parts = URLParts(address)
      let whole = parts.map {
        "\($0.scheme) \($0.authority) \($0.path) \($0.query ?? "-") \($0.fragment ?? "-") \($0.origin)"
      }
      let same = addresses[0..<8].map { parts?.isSameOrigin(as: URLParts($0)) == true ? "same" : "other" }
      return [line(address, whole), line(address, "\(parts?.isLoopback ?? false) \(same.joined(separator: " "))")]
    }
  }

  static var heads: [String] {
    let heads: [[String]] = [
      ["HTTP/1.1 200 OK", "A: b", "a:c  ", "B:\td", ""], ["HTTP/2 404", "A: b", ""],
      ["HTTP/1.1 100 Continue", "X: y", "", "HTTP/1.1 201 Created", "Z: w", ""],
      ["HTTP/1.1 200 OK\r\n", "A: b\r\n", " c\r\n", "\td\r\n", "\r\n"], ["HTTP/1.1 200 OK", "A b", ""],
      ["HTTP/1.1 20 OK", ""], ["HTTP/1.1 099 OK", ""], ["HTTP/1.1 600 OK", ""], ["HTTP/1.1 2000", ""],
      ["HTTP/1.1", ""],
      ["HTTP/1.1 abc", ""], ["A: b", ""], [" A: b"], ["HTTP/1.1 200 OK", " c", ""], ["HTTP/1.1 200 OK", ": b", ""],
      ["HTTP/1.1 200 OK", "A : b", ""], ["HTTP/1.1 200 OK", "A: b", "", "T: trailer"], ["HTTP/1.1 204 No Content"],
      ["HTTP/1.1 200 OK", "Ä: b", "A: ü", ""], ["HTTP/1.1 304 Not Modified", "HTTP/1.1 200 OK", ""], [""],
      ["HTTP/1.1 103 Early Hints", "Link: a", "", "HTTP/1.1 200 OK", ""],
    ]
    return heads.map { lines in
      var head = ResponseHead()
      for line in lines { head.take(Array(line.utf8)) }
      let fields = head.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
      return line(lines, "\(head.status) \(fields) \(head.isComplete) \(head.isMalformed)")
    }
  }

  static var timings: [String] {
    let whole = HTTPTiming(lookup: 1, connect: 20, secured: 300, firstByte: 4_000, total: 50_000, bytes: 600)
    let documents: [JSON] = [
      whole.json, HTTPTiming(total: 7, bytes: 0).json, HTTPTiming(connect: 2, total: 3, bytes: 4).json, [:],
      ["total": 1], ["bytes": 1], ["total": "1", "bytes": 1], ["total": 1, "bytes": 2, "secured": 3],
    ]
    return documents.map { line($0.text, HTTPTiming($0).map(\.json.text)) }
  }
}
