import ArgumentParser

/// Where a server listens: an IPv4 address and a port.
struct ListenAddress: ExpressibleByArgument, CustomStringConvertible {
  /// The address.
  let host: String
  /// The port; 0 is any free one.
  let port: UInt16

  /// Any free port that programs of this machine alone reach.
  static let loopback = ListenAddress(host: "127.0.0.1", port: 0)

  private init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let port = UInt16(parts[1]), "\(port)" == parts[1] else { return nil }
    let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 4, numbers.allSatisfy({ UInt8($0).map(String.init) == String($0) }) else { return nil }
    host = String(parts[0])
    self.port = port
  }

  var description: String { "\(host):\(port)" }
}
