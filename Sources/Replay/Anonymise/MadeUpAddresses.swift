// Made-up IP addresses.

/// Gives each IP address another one of the ranges for documentation: 192.0.2.0/24 (RFC 5737), if these are all taken
/// 198.51.100.0/24 and 203.0.113.0/24, and 2001:db8::/32 (RFC 3849). The same address always gets the same one, however
/// it is written, and IPv6 addresses of one network of 64 bits stay in one.
struct MadeUpAddresses {
  private var made: [[UInt16]: String] = [:]
  /// The addresses that the recording has, and those that were given out.
  private var taken: Set<[UInt16]> = []
  private var nextHost = 0
  /// The made-up numbers of networks, and the next host in each.
  private var networks: [[UInt16]: UInt16] = [:]
  private var nextInterface: [UInt16: UInt16] = [:]

  private static let ranges: [[UInt16]] = [[192, 0, 2], [198, 51, 100], [203, 0, 113]]
  private static let hosts = 254

  /// Learns an address that must not be given out; anything else is no address.
  mutating func avoid(_ text: String) {
    if let address = Self.parse(text) { taken.insert(address) }
  }

  /// The replacement of an address; nil if a text is none.
  mutating func replacement(of text: String) -> String? {
    guard let address = Self.parse(text) else { return nil }
    if let known = made[address] { return known }
    let replacement = address.count == 4 ? ofVersion4() : ofVersion6(address)
    made[address] = replacement
    return replacement
  }

  private mutating func ofVersion4() -> String {
    // After all of them, addresses must share a replacement.
    for _ in 0..<(Self.hosts * Self.ranges.count) {
      let host = nextHost
      nextHost += 1
      let range = Self.ranges[host / Self.hosts % Self.ranges.count]
      let address = range + [UInt16(host % Self.hosts + 1)]
      if taken.insert(address).inserted { return address.map(String.init).joined(separator: ".") }
    }
    return "192.0.2.1"
  }

  private mutating func ofVersion6(_ address: [UInt16]) -> String {
    let network = Array(address.prefix(4))
    let number = networks[network] ?? UInt16(truncatingIfNeeded: networks.count + 1)
    networks[network] = number
    var interface = nextInterface[number] ?? 0
    var candidate: [UInt16]
    var attempts = 0
    repeat {
      interface &+= 1
      attempts += 1
      candidate = [0x2001, 0xDB8, 0, number, 0, 0, 0, interface]
    } while !taken.insert(candidate).inserted && attempts <= Int(UInt16.max)
    nextInterface[number] = interface
    return "2001:db8:0:\(String(number, radix: 16))::\(String(interface, radix: 16))"
  }

  /// The four bytes of an IPv4 address, or the eight groups of an IPv6 address (RFC 4291 §2.2); nil for any other text.
  static func parse(_ text: String) -> [UInt16]? {
    if let bytes = version4(text) { return bytes }
    let runs = text.split(separator: "::", omittingEmptySubsequences: false)
    guard runs.count <= 2, text.contains(":") else { return nil }
    var parts: [[UInt16]] = []
    for (place, run) in runs.enumerated() {
      guard let groups = groups(run, isLast: place == runs.count - 1) else { return nil }
      parts.append(groups)
    }
    let count = parts.reduce(0) { $0 + $1.count }
    guard parts.count == 2 else { return count == 8 ? parts[0] : nil }
    return count < 8 ? parts[0] + Array(repeating: 0, count: 8 - count) + parts[1] : nil
  }

  private static func version4(_ text: String) -> [UInt16]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt16] = []
    for part in parts {
      guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let byte = UInt16(part), byte < 256
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// The groups between two places of `::`; the last two may be written as IPv4.
  private static func groups(_ run: Substring, isLast: Bool) -> [UInt16]? {
    guard !run.isEmpty else { return [] }
    var found: [UInt16] = []
    let texts = run.split(separator: ":", omittingEmptySubsequences: false)
    for (index, text) in texts.enumerated() {
      if isLast, index == texts.count - 1, let bytes = version4(String(text)) {
        found += [bytes[0] << 8 | bytes[1], bytes[2] << 8 | bytes[3]]
      } else if (1...4).contains(text.utf8.count), text.utf8.allSatisfy(isHexadecimal),
        let group = UInt16(text, radix: 16)
      {
        found.append(group)
      } else {
        return nil
      }
    }
    return found
  }

  /// True for a hexadecimal digit.
  static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
  }
}
