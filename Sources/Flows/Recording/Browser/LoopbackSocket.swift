// A socket that only this machine can reach.

import Foundation

/// Sockets on the loopback addresses, never on a name or on all addresses (RFC 8252 §8.3).
enum LoopbackSocket {
  /// A kind of address.
  enum Family {
    /// 127.0.0.1
    case v4
    /// ::1
    case v6

    /// The host in a URL.
    var host: String {
      switch self {
      case .v4: "127.0.0.1"
      case .v6: "[::1]"
      }
    }
  }

  /// A socket that listens.
  struct Bound {
    var handle: Int32
    var port: UInt16
    var family: Family
  }

  /// Listens on the first address family that the machine supports.
  ///
  /// - Parameters:
  ///   - port: the port; 0 for a free one.
  ///   - families: the address families, in the order in which to try them.
  /// - Throws: `DrawFailure` if the port is taken, or if the machine supports none of the families.
  static func listening(on port: UInt16, _ families: [Family]) throws(DrawFailure) -> Bound {
    var number: Int32 = EAFNOSUPPORT
    for family in families {
      let handle: Int32
      switch family {
      case .v4: handle = listening(AF_INET, address4(port))
      case .v6: handle = listening(AF_INET6, address6(port))
      }
      if handle >= 0 {
        guard let found = self.port(of: handle) else { break }
        return Bound(handle: handle, port: found, family: family)
      }
      number = -handle
      guard [EAFNOSUPPORT, EADDRNOTAVAIL, EPROTONOSUPPORT].contains(number) else { break }
    }
    throw DrawFailure(.failed, unsafe "port \(port) cannot be listened on: \(String(cString: strerror(number)))")
  }

  private static func address4(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func address6(_ port: UInt16) -> sockaddr_in6 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return address
  }

  /// The descriptor, or the negative `errno`.
  private static func listening<Address>(_ domain: Int32, _ address: Address) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let handle = socket(domain, kind, 0)
    guard handle >= 0 else { return -errno }
    // The port of a sign-in that has just ended must be available for the sign-out. This does not share ports: one that
    // is in use stays unavailable.
    var on: Int32 = 1
    _ = unsafe setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = address
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(handle, pointer, socklen_t(MemoryLayout<Address>.size)) == 0 && listen(handle, 64) == 0
      }
    }
    guard !isBound else { return handle }
    let number = errno
    close(handle)
    return -number
  }

  private static func port(of handle: Int32) -> UInt16? {
    // Both address types have the port at the same offset.
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let isKnown = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe getsockname(handle, pointer, &size) == 0
      }
    }
    return isKnown ? UInt16(bigEndian: address.sin6_port) : nil
  }
}
