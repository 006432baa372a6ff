// The names under which requests may address this org. Any web page can point its own name to 127.0.0.1 and make a
// browser send requests there: such a request has a domain as its host.

import Foundation

extension ReceivedRequest {
  /// Whether the request names no host, an address, a name without a dot, a name below `localhost`, or the host of the
  /// org's public address.
  func isForThisMachine(orNamed address: String?) -> Bool {
    guard let field = header("Host")?.lowercased() else { return true }
    let name = field.hasPrefix("[") ? field : String(field.prefix { $0 != ":" })
    if name.hasPrefix("[") || !name.contains(".") || name.hasSuffix(".localhost") { return true }
    if name.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }) { return true }
    return name == address.flatMap { URLComponents(string: $0)?.host?.lowercased() }
  }
}
