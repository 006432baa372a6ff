// Finds the user whose program is at the other end of a connection on this machine. A port is open to all users of the
// machine, and cookies go to all ports of a host: the sender of a cookie need not be its recipient.

import FlyingSocks
import Foundation

/// The other end of a connection over IPv4.
package struct HTTPClient: Sendable {
  /// The client of the request that is being answered; nil outside of `Respond`.
  @TaskLocal package static var current: HTTPClient?

  /// Its end and ours, as the kernel's table has them.
  private let ends: (client: Address, server: Address)

  private struct Address {
    /// The four bytes as a number of this machine's byte order.
    let host: UInt32
    let port: UInt16

    init?(_ address: Socket.Address) {
      guard case .ip4(let text, let port) = address else { return nil }
      let numbers = text.split(separator: ".").compactMap { UInt32($0) }
      guard numbers.count == 4, numbers.allSatisfy({ $0 < 256 }) else { return nil }
      host = UInt32(bigEndian: numbers.reduce(0) { $0 << 8 | $1 })
      self.port = port
    }

    var text: String { hexadecimal(host, 8) + ":" + hexadecimal(UInt32(port), 4) }
  }

  init?(of socket: Socket) {
    guard let client = (try? socket.remotePeer()).flatMap(Address.init),
      let server = (try? socket.sockname()).flatMap(Address.init)
    else { return nil }
    ends = (client, server)
  }

  /// The id of the user whose program it is; nil if it is on another machine, or gone, or unknown to the kernel.
  package var user: UInt32? {
    // The table may change while it is read.
    lookUp() ?? lookUp()
  }

  /// proc(5): each line has the near end, the far end, and, as its eighth field, the user.
  private func lookUp() -> UInt32? {
    // A socket of IPv6 may speak IPv4: ::ffff:a.b.c.d.
    let mapped = "0000000000000000" + hexadecimal(UInt32(bigEndian: 0xFFFF), 8)
    for (file, prefix) in [("/proc/net/tcp", ""), ("/proc/net/tcp6", mapped)] {
      // `String(contentsOfFile:)` reads one page of what has no length.
      guard let bytes = try? FileHandle(forReadingAtPath: file)?.readToEnd() else { continue }
      let table = String(decoding: bytes, as: UTF8.self)
      let (near, far) = (prefix + ends.client.text, prefix + ends.server.text)
      for line in table.split(separator: "\n") {
        let fields = line.split(separator: " ")
        if fields.count > 7, fields[1] == near, fields[2] == far { return UInt32(fields[7]) }
      }
    }
    return nil
  }
}

/// A number in capital hexadecimal digits, with zeros in front of it.
private func hexadecimal(_ number: UInt32, _ digits: Int) -> String {
  let text = String(number, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
