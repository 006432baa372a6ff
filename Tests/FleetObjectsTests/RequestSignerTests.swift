import EventStore
import FlowRecording
import Testing

@testable import FleetObjects

/// Signatures: the examples of Amazon's reference, "Signature Calculations for the Authorization Header".
@Suite struct RequestSignerTests {
  private func signer(_ more: [String: String] = [:]) throws -> RequestSigner {
    RequestSigner(
      access: try ObjectAccess(
        endpoint: "https://examplebucket.s3.amazonaws.com", environment: storageEnvironment.merging(more) { $1 }))
  }

  private let time = Timestamp(microseconds: 1_369_353_600_999_999)

  private func signature(_ headers: [HTTPField]) throws -> Substring {
    let line = try #require(headers.first { $0.name == "Authorization" }).value
    return try #require(line.split(separator: "Signature=").last)
  }

  @Test func `a part of an object`() throws {
    let headers = try signer().sign(
      "GET", path: "/test.txt", headers: [HTTPField("Range", "bytes=0-9")], at: time)
    #expect(try signature(headers) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    #expect(
      headers.first { $0.name == "Authorization" }?.value.hasPrefix(
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
          + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=") == true)
    #expect(headers.contains(HTTPField("x-amz-date", "20130524T000000Z")))
    #expect(!headers.contains { $0.name.lowercased() == "host" })
  }

  @Test func `an object that is put, whose key has a letter that must be encoded`() throws {
    let path = "/" + RequestSigner.encoded("test$file.text")
    #expect(path == "/test%24file.text")
    let headers = try signer().sign(
      "PUT", path: path,
      headers: [
        HTTPField("Date", "Fri, 24 May 2013 00:00:00 GMT"), HTTPField("x-amz-storage-class", "REDUCED_REDUNDANCY"),
      ], body: Array("Welcome to Amazon S3.".utf8), at: time)
    #expect(try signature(headers) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
  }

  @Test func `queries, by name`() throws {
    let lifecycle = try signer().sign("GET", path: "/", query: [("lifecycle", "")], at: time)
    #expect(try signature(lifecycle) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    let list = try signer().sign("GET", path: "/", query: [("prefix", "J"), ("max-keys", "2")], at: time)
    #expect(try signature(list) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    #expect(
      RequestSigner.text(of: [("prefix", "a/b ü"), ("list-type", "2"), ("list", "1")])
        == "list=1&list-type=2&prefix=a%2Fb%20%C3%BC")
  }

  @Test func `temporary credentials send their token, which is signed`() throws {
    let headers = try signer(["AWS_SESSION_TOKEN": "token/1=="]).sign("GET", path: "/", at: time)
    #expect(headers.contains(HTTPField("x-amz-security-token", "token/1==")))
    #expect(headers.last?.value.contains("x-amz-date;x-amz-security-token,") == true)
  }
}
