// The arithmetic that others compute too: trees, checksums, notes, frames.
import Foundation
import Testing

@testable import EventStore

@Suite struct IntegrityTests {
  @Test func `the frontier's root is that of the recursive definition, at every size`() {
    let leaves = (0..<130).map { MerkleTree.leaf(Array("leaf \($0)".utf8)) }
    var frontier = MerkleFrontier()
    #expect(frontier.root == MerkleTree.root(of: []))
    for size in 1...leaves.count {
      frontier.append(leaves[size - 1])
      #expect(frontier.root == MerkleTree.root(of: leaves[..<size]))
      #expect(frontier.hashes.count == size.nonzeroBitCount)
      #expect(MerkleFrontier(size: UInt64(size), hashes: frontier.hashes) == frontier)
    }
    #expect(MerkleFrontier(size: 3, hashes: frontier.hashes) == nil || frontier.hashes.count == 2)
  }

  @Test func `known hashes`() {
    #expect(MerkleTree.empty.description == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
    // The hash of the leaf of no bytes, from the test vectors of Certificate Transparency.
    #expect(MerkleTree.leaf([]).description == "bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=")
    #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xE306_9283)
  }

  @Test func `a split is the largest power of two under the size`() {
    #expect([2, 3, 4, 5, 8, 9, 1 << 40].map { MerkleTree.split($0) } == [1, 2, 2, 4, 4, 8, 1 << 39])
  }

  @Test func `the published note example verifies`() throws {
    // golang.org/x/mod/sumdb/note, package documentation.
    let key = try VerifierKey(text: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    #expect(key.name == "PeterNeumann" && key.hash == 0xc74f_20a3)
    let text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    let signature = try #require(
      Base64.decode(
        "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="))
    #expect(key.isSignature(Array(signature.dropFirst(4)), of: Array(text.utf8)))
    #expect(Array(signature.prefix(4)) == [0xc7, 0x4f, 0x20, 0xa3])
    #expect(key.description == "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
  }

  @Test func `a note is read as it was written, and stands or falls with its signature`() throws {
    let key = try SigningKey(name: "example.com/log")
    let note = try SignedNote(origin: "example.com/log", size: 7, root: MerkleTree.empty, signedBy: key)
    let back = try SignedNote(text: note.text)
    #expect(back == note && back.size == 7 && back.root == MerkleTree.empty)
    #expect(back.standing(with: key.verifier) == .valid)
    #expect(back.standing(with: try SigningKey(name: "example.com/log").verifier) == .absent)
    let other = try SignedNote(text: note.text.replacing("\n7\n", with: "\n8\n"))
    #expect(other.standing(with: key.verifier) == .invalid)
  }

  @Test(arguments: [
    "", "\n\n", "a\n1\n", "a\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n",
    "a\n01\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n\u{2014} a AAAAAAA=\n",
    "a\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU\n\n\u{2014} a AAAAAAA=\n",
    "a\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n- a AAAAAAA=\n",
    "a\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n\u{2014} a AAAAAAA=",
  ]) func `what is no note is malformed`(_ text: String) {
    #expect(throws: StoreError(.malformed, "")) { try SignedNote(text: text) }
  }

  @Test func `a signing key is kept in a file of mode 0600 and never printed`() throws {
    let folder = try TemporaryStore()
    let key = try SigningKey.create(path: folder.folder + "/deep/key", name: "a")
    #expect(try SigningKey.load(path: folder.folder + "/deep/key").verifier == key.verifier)
    let secret = try #require(key.secretText.split(separator: "+").last)
    #expect(!"\(key)".contains(secret) && "\(key)" == key.verifier.description)
    #expect(throws: StoreError(.cannotCreate, "")) {
      try SigningKey.create(path: folder.folder + "/deep/key", name: "a")
    }
    #expect(throws: StoreError(.keyMissing, "")) { try SigningKey.load(path: folder.folder + "/none") }
    try write(Array("nonsense".utf8), to: folder.folder + "/bad")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.folder + "/bad")
    let error = #expect(throws: StoreError.self) { try SigningKey.load(path: folder.folder + "/bad") }
    #expect(error?.code == .malformed && error?.description.contains("nonsense") == false)
  }

  @Test func `a directory is read as it was written, and cut anywhere it is malformed`() throws {
    var frontier = MerkleFrontier()
    for index in 0..<300 { frontier.append(MerkleTree.leaf(Array("\(index)".utf8))) }
    var directory = FrameDirectory(
      previous: 7, offset: 1_000, length: 99, first: 290, count: 10, rawBytes: 8 << 20, synced: 290, frontier: frontier,
      streams: [
        .init(name: Array("a".utf8), firstRevision: 300, positions: [290, 292, 299]),
        .init(name: Array("b/ü".utf8), firstRevision: 0, positions: [291, 293, 294, 295, 296, 297, 298]),
      ])
    let body = directory.encoded
    #expect(try FrameDirectory(body: body) == directory)
    for length in body.indices {
      #expect(throws: StoreError(.malformed, ""), "\(length)") { try FrameDirectory(body: Array(body[..<length])) }
    }
    for index in body.indices {
      for bit in 0..<8 {
        var bad = body
        bad[index] ^= 1 << UInt8(bit)
        _ = try? FrameDirectory(body: bad)  // anything but a trap
      }
    }
    directory.rawBytes += 1
    #expect(throws: StoreError(.malformed, "")) { try FrameDirectory(body: directory.encoded) }
  }

  @Test func `an error is one sentence: what, where, what to do next`() {
    let error = StoreError(.torn, "the file ends", file: "a/b", position: 7, offset: 9, advice: "look")
    #expect(error.description == "the file ends (a/b, position 7, byte 9); look.")
  }
}
