// Notes that others have published, through our parser and our signature check.
import Testing

@testable import EventStore

@Suite struct PublishedNoteTests {
  private static let goKey = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
  private static let peter = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
  private static let peterNote =
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
    + "\u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"

  /// Signed trees of the Go checksum database, as it answered at different times.
  private static let trees = [
    "go.sum database tree\n15368405\n/g9am3I6YWNKaZX/jkne1fqd9zEyjss+JXyPXG0WfkY=\n\n"
      + "\u{2014} sum.golang.org Az3grqJGUaSGukG9p8nI2vKgiFn7qGHxn0W+mrwyI6Gz3F0t1J3LzmWk/p96Ybf295EjwdSwlzgijq5WA9d1Ded7owM=\n",
    "go.sum database tree\n3784599\n7uvxIZ67TZygcq/AehTD8iHYt81Ih+Zl2Y7vXZbfszQ=\n\n"
      + "\u{2014} sum.golang.org Az3grn972wXskjQrsZhVGc93fTU2uOsmSTiId1Wn1lxDCup5z4ggl1/4gaUqOkMa6cMbYvjB7hn7yemNr7Zqanol/go=\n",
    "go.sum database tree\n445646\njEFFy4AtYgBBNTSZTiNnQrgQqMbcH0mfO2oP2FxR9VU=\n\n"
      + "\u{2014} sum.golang.org Az3grkGho/PqvUmEuTv6+r2g303hUhu60FOD6vLpm19mBwH9UjquWY2OKxNmZ55z0gHrp24AgPC3Q5WO7uZrVdvdCQU=\n",
  ]

  @Test func `the example of golang.org x mod sumdb note verifies`() throws {
    let note = try SignedText(text: Self.peterNote)
    #expect(note.standing(with: try VerifierKey(text: Self.peter)) == .valid)
    #expect(note.body.hasSuffix("problem is.\n") && note.signatures.map(\.name) == ["PeterNeumann"])
    #expect(
      try SignedText(text: Self.peterNote.replacing("answer", with: "Answer")).standing(
        with: VerifierKey(text: Self.peter)) == .invalid)
    #expect(throws: StoreError(.malformed, "")) { try SignedNote(text: Self.peterNote) }
  }

  @Test func `the example's private key gives the example's signature`() throws {
    let key = try SigningKey(
      text: "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")
    #expect(key.verifier.description == Self.peter)
    let body = try SignedText(text: Self.peterNote).body
    // The signatures of this library are randomised (RFC 8032 allows no such choice to show), so both must hold.
    let ours = try SignedText(body: body, signedBy: [key])
    #expect(ours.standing(with: key.verifier) == .valid && ours.body == body)
  }

  @Test(arguments: trees) func `signed trees of the Go checksum database verify`(_ text: String) throws {
    let key = try VerifierKey(text: Self.goKey)
    let note = try SignedNote(text: text)
    #expect(note.origin == "go.sum database tree" && note.text == text)
    #expect(try SignedText(text: text).standing(with: key) == .valid)
    let larger = try SignedText(text: text.replacing("\n\(note.size)\n", with: "\n\(note.size + 1)\n"))
    #expect(larger.standing(with: key) == .invalid)
    // Its key has another name than the log: with our stores, such a key signs for no log.
    #expect(note.standing(with: key) == .absent)
  }

  @Test func `the examples of C2SP signed-note and tlog-checkpoint are read`() throws {
    let poem = try SignedText(
      text: "Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n"
        + "\u{2014} quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n"
    )
    // The text has an empty line itself: the last one ends it.
    #expect(poem.body.hasSuffix("sole:\n\ned è subito sera.\n") && poem.signatures.count == 1)
    #expect(poem.signatures[0].bytes.count == 64)
    let note = try SignedNote(
      text: "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        + "\u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    )
    #expect(note.origin == "example.com/behind-the-sofa" && note.size == 20_852_163 && note.extensions.isEmpty)
    #expect(note.standing(with: try VerifierKey(text: Self.peter)) == .absent)
  }

  @Test func `signatures of unknown keys are ignored, up to many of them`() throws {
    let key = try SigningKey(name: "log")
    let others = try (0..<15).map { try SigningKey(name: "witness\($0)") }
    let text = try SignedText(body: "log\n1\n\(MerkleTree.empty)\nsome extension\n", signedBy: others + [key]).text
    let note = try SignedNote(text: text)
    #expect(note.signatures.count == 16 && note.extensions == ["some extension"] && note.nextKey == nil)
    for one in others + [key] { #expect(try SignedText(text: text).standing(with: one.verifier) == .valid) }
    #expect(note.standing(with: key.verifier) == .valid)
    // Of another length, as a post-quantum signature is; of the same name and another hash; of the same hash and another name.
    let strange =
      text + "\u{2014} pq " + Base64.encode([UInt8](repeating: 7, count: 4_900)) + "\n"
      + "\u{2014} log " + Base64.encode([UInt8](repeating: 7, count: 68)) + "\n"
    #expect(try SignedNote(text: strange).standing(with: key.verifier) == .valid)
    // One that claims to be the key's and is not spoils the note.
    let line = try #require(text.split(separator: "\n").last)
    let encoded = try #require(line.split(separator: " ").last)
    let bytes = try #require(Base64.decode(encoded))
    let forged = text + "\u{2014} log " + Base64.encode(bytes.prefix(4) + [UInt8](repeating: 1, count: 64)) + "\n"
    #expect(try SignedNote(text: forged).standing(with: key.verifier) == .invalid)
  }

  @Test(arguments: [
    "a\n\n", "a\n\n\n", "a\n\n\u{2014} b AAAAAAA=\n\n", "a\u{1}\n\n\u{2014} b AAAAAAA=\n",
    "a\r\n\n\u{2014} b AAAAAAA=\n",
    "a\n\n\u{2014} b+c AAAAAAA=\n", "a\n\n\u{2014} b\u{2003}c AAAAAAA=\n", "a\n\n\u{2014} b AAAA\n",
    "a\n\n\u{2014}  b AAAAAAA=\n",
    "\n", "\n\n", "",
  ]) func `what is no signed note is malformed`(_ text: String) {
    #expect(throws: StoreError(.malformed, "")) { try SignedText(text: text) }
  }
}
