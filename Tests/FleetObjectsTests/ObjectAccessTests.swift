import EventStore
import FlowRecording
import Testing

@testable import FleetObjects

@Suite struct ObjectAccessTests {
  private let keys = ["AWS_ACCESS_KEY_ID": "AKIDKEY", "AWS_SECRET_ACCESS_KEY": "very/secret"]

  private func access(_ more: [String: String] = [:], endpoint: String? = nil) throws -> ObjectAccess {
    try ObjectAccess(endpoint: endpoint, environment: keys.merging(more) { $1 })
  }

  @Test func `the environment says who asks, and where`() throws {
    let plain = try access()
    #expect(plain.endpoint == "https://s3.us-east-1.amazonaws.com" && plain.sessionToken == nil)
    let other = try access([
      "AWS_REGION": "eu-central-1", "AWS_DEFAULT_REGION": "no", "AWS_SESSION_TOKEN": "t", "AWS_CA_BUNDLE": "/ca.pem",
    ])
    #expect(other.host == "s3.eu-central-1.amazonaws.com" && other.region == "eu-central-1")
    #expect(other.sessionToken == "t" && other.authorities == "/ca.pem")
    let own = ["AWS_ENDPOINT_URL": "https://a.example:9000/", "AWS_ENDPOINT_URL_S3": ""]
    #expect(try access(own).endpoint == "https://a.example:9000")
    #expect(try access(own, endpoint: "https://B.example:443").endpoint == "https://b.example")
  }

  @Test(arguments: ["http://127.0.0.1:9000", "http://localhost", "http://[::1]:9000", "https://192.0.2.1"])
  func `without TLS only this machine is asked`(endpoint: String) throws {
    #expect(try access(endpoint: endpoint).endpoint == endpoint)
  }

  @Test(arguments: [
    "http://192.0.2.1:9000", "http://storage.example", "http://127.0.0.1.example", "ftp://a.example", "a.example",
    "https://", "https://user:word@a.example", "https://a.example/path", "https://a.example?x", "https://a b", "",
  ])
  func `other endpoints are refused`(endpoint: String) {
    let error = #expect(throws: StoreError.self) { try access(endpoint: endpoint) }
    #expect(error?.code == .invalid && error?.description.contains("word") == false)
  }

  @Test(arguments: [
    ["AWS_ACCESS_KEY_ID": ""], ["AWS_SECRET_ACCESS_KEY": ""], ["AWS_ACCESS_KEY_ID": "a\nb"],
    ["AWS_SESSION_TOKEN": "a b"],
    ["AWS_REGION": "eu/../x"],
  ])
  func `without credentials nothing is asked, and none has a line end`(more: [String: String]) {
    let error = #expect(throws: StoreError.self) { try access(more) }
    #expect(error?.code == .invalid && error?.description.contains("AWS_") == true)
  }

  @Test func `no text of it has the credentials, nor has an error`() throws {
    let access = try access(["AWS_SESSION_TOKEN": "token-of-mine"])
    var dumped = ""
    dump(access, to: &dumped)
    let errors: [ObjectError] = [
      .noObject, .noBucket, .denied("SignatureDoesNotMatch"), .otherRegion("eu-west-1"), .clock, .changed,
      .failing(503, ""),
      .unreachable(TransportError(.timedOut, "Late.")), .refused(400, "X"), .malformed("x"),
    ]
    for text in ["\(access)", String(reflecting: access), dumped]
      + errors.map({ $0.problem(with: "s3://bucket/key", at: access).description })
    {
      for secret in ["AKIDKEY", "very/secret", "token-of-mine"] { #expect(!text.contains(secret), "\(text)") }
    }
    #expect(dumped.contains("us-east-1"))
  }
}

@Suite struct ObjectPlaceTests {
  @Test(arguments: [
    ("s3://audit-archive", "s3://audit-archive"), ("s3://audit-archive/", "s3://audit-archive"),
    ("s3://a.b-9/eu/Web_1.x~/", "s3://a.b-9/eu/Web_1.x~"),
  ])
  func `places`(given: String, path: String) throws {
    let place = try ObjectPlace(given)
    #expect(place.path == path && place.key(of: path + "/LOCK")?.hasSuffix("LOCK") == true)
    #expect(place.key(of: "s3://" + place.bucket) == "" && place.key(of: "s3://other/x") == nil)
    #expect(place.key(of: "s3://" + place.bucket + "x/y") == nil)
  }

  @Test(arguments: [
    "s3://", "s3:///a", "s3://ab", "s3://Bucket", "s3://bu_cket", "s3://-bucket", "s3://bucket.", "s3://a..b",
    "s3://bucket//a",
    "s3://bucket/../a", "s3://bucket/a b", "s3://bucket/a%2Fb", "s3://bucket/ü", "s3://bucket/a?b", "/srv/archive",
    "S3://bucket", "s3://" + String(repeating: "a", count: 64),
  ])
  func `other texts are none`(given: String) {
    #expect(throws: StoreError(.invalid, "")) { try ObjectPlace(given) }
  }
}
