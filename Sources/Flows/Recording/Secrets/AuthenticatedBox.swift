// Bytes sealed together with a header that describes them (docs/DEVICE.md, "Files").

package import Crypto
package import EventStore
import Foundation

/// A JSON object whose last member, `box`, is encrypted under a key, with all members before it authenticated, so that
/// none can be changed and no box can be moved to another header. Without a key, `box` contains the plain bytes and
/// `check` a hash over both, which detects damage but not forgery.
package struct AuthenticatedBox: Sendable {
  /// The members before the box.
  package var header: [(String, JSON)]
  /// The contents of the box.
  package var content: [UInt8]

  package init(header: [(String, JSON)], content: [UInt8]) {
    self.header = header
    self.content = content
  }

  /// Returns the text of the file.
  package func sealed(under key: SymmetricKey?) -> [UInt8]? {
    let authenticated = JSON.members(header).bytes
    var members = header
    if let key {
      guard let box = try? AES.GCM.seal(content, using: key, authenticating: authenticated).combined else { return nil }
      members.append(("box", .string(box.base64EncodedString())))
    } else {
      members.append(("check", .string(Self.check(authenticated, content))))
      members.append(("box", .string(Data(content).base64EncodedString())))
    }
    return JSON.members(members).bytes + [0x0A]
  }

  /// Reads the text of a file.
  ///
  /// - Returns: `nil` if the file is damaged, altered, or sealed under a different key.
  package init?(_ text: [UInt8], under key: SymmetricKey?) {
    guard let object = try? JSON(parsing: text).object, case .string(let encoded)? = object.members.last?.value,
      object.members.last?.key == "box", let box = Data(base64Encoded: encoded)
    else { return nil }
    var header = object.members.dropLast().map { ($0.key, $0.value) }
    if let key {
      guard let sealed = try? AES.GCM.SealedBox(combined: box),
        let content = try? AES.GCM.open(sealed, using: key, authenticating: JSON.members(header).bytes)
      else { return nil }
      self.content = Array(content)
    } else {
      guard header.last?.0 == "check", let check = header.removeLast().1.string,
        check == Self.check(JSON.members(header).bytes, Array(box))
      else { return nil }
      content = Array(box)
    }
    self.header = header
  }

  /// Returns a member of the header.
  package subscript(name: String) -> JSON? { header.first { $0.0 == name }?.1 }

  /// Returns the bytes of a header member in base64.
  package func bytes(_ name: String) -> [UInt8]? {
    self[name]?.string.flatMap(Self.bytes)
  }

  /// Decodes base64.
  package static func bytes(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { Array($0) } }

  private static func check(_ header: [UInt8], _ content: [UInt8]) -> String {
    Data(SHA256.hash(data: header + [0] + content)).base64EncodedString()
  }
}

extension JSON {
  /// Encodes bytes in base64.
  package static func base64(_ bytes: [UInt8]) -> JSON { .string(Data(bytes).base64EncodedString()) }
}
