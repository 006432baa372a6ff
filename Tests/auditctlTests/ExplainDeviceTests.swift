import EventStore
import Foundation
import Testing

/// Push payloads and challenge JWTs, with the vector of spec/device.md §22.1: issued 2023-11-14T22:13:20Z, for 300 seconds.
@Suite struct ExplainDeviceTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    _ = try folder.write(Self.keys, to: "keys.json")
    _ = try folder.write(Self.token + "\n", to: "challenge.jwt")
    _ = try folder.write(
      #"{"payloadVersion":"IDXv1","challenge":"\#(Self.token)","aps":{"alert":"x"}}"#, to: "push.json")
  }

  private func explain(_ file: String, _ more: String..., at: String = "2023-11-14T22:13:30Z") throws -> Run {
    try Program.run(["explain", "--api", "device", file, "--at", at] + more, in: folder)
  }

  /// The verdict of each check.
  private func verdicts(_ run: Run) throws -> [String: String] {
    let document = try JSON(parsing: Array(run.output.utf8))
    return Dictionary(
      (document["checks"]?.array ?? []).map { ($0["check"]?.string ?? "", $0["verdict"]?.string ?? "") },
      uniquingKeysWith: { one, _ in one })
  }

  @Test("the text says who signed, what is asked and what each check says, and nothing secret")
  func text() throws {
    let run = try explain("push.json", "--keys", "keys.json", "--org", "https://org.example.test")
    #expect(run.code == 0, "\(run.errors)")
    for line in [
      "challenge ftVectorTransaction000000000000001", "signed    RS256, key sim-rs256-1: the signature is right",
      "message   Pay 100% of €42?", "verify    user verification PREFERRED", "issued    2023-11-14T22:13:20.000000Z",
      "expires   2023-11-14T22:18:20.000000Z", "V6        passed that key signed it",
      "H1        passed the issuer is the org", "H5        passed the answer goes to the org",
    ] {
      #expect(run.lines.contains(line), "\(line)\n\(run.output)")
    }
    #expect(run.output.contains("P7        open"))
    for secret in ["vector-nonce-0001", Self.token, String(Self.token.suffix(20))] {
      #expect(!run.output.contains(secret))
    }
  }

  @Test("a JWT by itself is explained too; its nonce is a placeholder in the JSON")
  func token() throws {
    let run = try explain("challenge.jwt", "--json")
    #expect(run.code == 0 && run.output.hasPrefix(#"{"schema":1,"#), "\(run.output)\(run.errors)")
    let document = try JSON(parsing: Array(run.output.utf8))
    #expect(document["challenge"]?["claims"]?["nonce"]?.string?.hasPrefix("$secret.nonce.") == true)
    #expect(document["signed"] == .null && document["challenge"]?["alg"] == "RS256")
    let verdicts = try verdicts(run)
    #expect(verdicts.count == 22)
    #expect(verdicts["P1"] == "open" && verdicts["P3"] == "passed" && verdicts["V1"] == "passed")
    #expect(verdicts["V6"] == "open" && verdicts["H2"] == "passed" && verdicts["H8"] == "open")
  }

  @Test("a push whose challenge is no text is not recognized", arguments: ["5", "null", "{}", "[]", "true"])
  func noText(_ challenge: String) throws {
    _ = try folder.write(#"{"payloadVersion":"IDXv1","challenge":\#(challenge)}"#, to: "odd.json")
    let run = try explain("odd.json", "--json")
    #expect(try run.code == 65 && verdicts(run)["P2"] == "failed" && verdicts(run)["P3"] == "open", "\(run)")
  }

  @Test("another key, a changed claim and a time after its end are found")
  func failures() throws {
    let late = try explain("push.json", "--keys", "keys.json", "--json", at: "2023-11-14T22:23:21Z")
    #expect(try late.code == 0 && verdicts(late)["V1"] == "failed" && verdicts(late)["V6"] == "passed")
    _ = try folder.write(Self.keys.replacingOccurrences(of: "sim-rs256-1", with: "another"), to: "others.json")
    let other = try explain("push.json", "--keys", "others.json", "--json")
    #expect(try other.code == 1 && verdicts(other)["V5"] == "failed" && verdicts(other)["V6"] == "open")
    let parts = Self.token.split(separator: ".").map(String.init)
    let claims = try #require(Data(base64Encoded: parts[1].padded))
    let changed = String(decoding: claims, as: UTF8.self).replacingOccurrences(of: "CIBA", with: "LOGIN")
    _ = try folder.write([parts[0], Data(changed.utf8).url, parts[2]].joined(separator: "."), to: "forged.jwt")
    let forged = try explain("forged.jwt", "--keys", "keys.json", "--org", "https://evil.example", "--json")
    #expect(try forged.code == 1 && verdicts(forged)["V6"] == "failed" && verdicts(forged)["H1"] == "failed")
    #expect(try verdicts(forged)["H5"] == "failed")
  }

  @Test("what is no challenge is 65, keys that are none too; the options go with --api device alone")
  func badInput() throws {
    for text in ["", "{}", "hello", "a.b.c", #"{"payloadVersion":"IDXv1"}"#, "[1]"] {
      _ = try folder.write(text, to: "bad")
      let run = try explain("bad")
      #expect(run.code == 65 && run.errors.contains("no push payload"), "\(text): \(run.code) \(run.errors)")
    }
    #expect(try explain("push.json", "--keys", "push.json").code == 65)
    #expect(try explain("push.json", "--keys", "missing").code == 66)
    #expect(try explain("push.json", at: "whenever").code == 64)
    #expect(try Program.run(["explain", "push.json", "--keys", "keys.json"], in: folder).code == 64)
  }

  // MARK: Vectors (spec/device.md §22.1)

  private static let keys = #"""
    {"keys":[{"kty":"RSA","alg":"RS256","use":"sig","kid":"sim-rs256-1","n":"rSsmPX3pyAX-Kf3cjGNliW8JDar\#
    69w8PdKQZdj7D0nobQ7qGdzd0D4TeZwQ0P_lU8fPB6rkNKKJTOcOtUgVVDVMbtREQL1OFcNsfw4--iTcfkE7Ik3csIljcY0JxAJm\#
    u1LfFdAmYVN8tdniQyTDrLgIw3y-gbU_o5Fnsv7V9pDsdc-1u1XilM-VvSknUxi1sH0k1jukrFuFPlTWzZUFbED6W0ehl_mmkKcE\#
    oNFH5lTOjfBnix10aQeh-rBTrHsWSs-rUCCVXbaHuVRa0VXwsj_5Tsxr6CQrV7yZU3RAm_fgdTbW25sXPSEfSeWAy89iO2jtdXq1\#
    tiHHq40znjpPPkw","e":"AQAB"}]}
    """#

  private static let token =
    "eyJraWQiOiJzaW0tcnMyNTYtMSIsInR5cCI6Im9rdGEtcHVzaGJpbmQrand0IiwiYWxnIjoiUlMyNTYifQ.eyJpc3MiOiJodHRwc"
    + "zovL29yZy5leGFtcGxlLnRlc3QiLCJhdWQiOiJva3RhLjYzYzA4MWRiLTFmMTMtNTA4NC04ODJmLWU3OWUxZTVlMmRhNyIsImV4c"
    + "CI6MTcwMDAwMDMwMCwiaWF0IjoxNzAwMDAwMDAwLCJqdGkiOiJmdFZlY3RvclRyYW5zYWN0aW9uMDAwMDAwMDAwMDAwMDAxIiwib"
    + "m9uY2UiOiJ2ZWN0b3Itbm9uY2UtMDAwMSIsInRyYW5zYWN0aW9uSWQiOiJmdFZlY3RvclRyYW5zYWN0aW9uMDAwMDAwMDAwMDAwM"
    + "DAxIiwic2lnbmFscyI6WyJpZCIsImRpc3BsYXlOYW1lIiwicGxhdGZvcm0iLCJvc1ZlcnNpb24iXSwidmVyaWZpY2F0aW9uVXJpI"
    + "joiaHR0cHM6Ly9vcmcuZXhhbXBsZS50ZXN0L2lkcC9teWFjY291bnQvYXBwLWF1dGhlbnRpY2F0b3JzL2NoYWxsZW5nZS9mdFZlY"
    + "3RvclRyYW5zYWN0aW9uMDAwMDAwMDAwMDAwMDAxL3ZlcmlmeSIsIm9yZ0lkIjoiMDBvVmVjdG9yT3JnMDAwMDAwMSIsImFwcEluc"
    + "3RhbmNlTmFtZSI6IlZlY3RvciBBcHAiLCJtZXRob2QiOiJwdXNoIiwibWV0aG9kRW5yb2xsbWVudElkIjoib3BmVmVjdG9yTWV0a"
    + "G9kMDAwMDEiLCJhdXRoZW50aWNhdG9yRW5yb2xsbWVudElkIjoicGZkVmVjdG9yRW5yb2xsMDAwMDEiLCJ1c2VyTWVkaWF0aW9uI"
    + "joiUkVRVUlSRUQiLCJ1c2VyVmVyaWZpY2F0aW9uIjoiUFJFRkVSUkVEIiwiY2hhbGxlbmdlQ29udGV4dCI6eyJjbGllbnRPUyI6I"
    + "k1BQ19PU19YIiwiY2xpZW50TG9jYXRpb24iOiJPc2xvLCBPc2xvLCBOb3J3YXkiLCJ0cmFuc2FjdGlvblRpbWUiOiIyMDIzLTExL"
    + "TE0VDIyOjEzOjIwLjAwMFoiLCJ0cmFuc2FjdGlvblR5cGUiOiJDSUJBIiwiYmluZGluZ01lc3NhZ2UiOiJQYXklMjAxMDAlMjUlM"
    + "jBvZiUyMCVFMiU4MiVBQzQyJTNGIn0sInVzZXJJZCI6IjAwdVZlY3RvclVzZXIwMDAwMDEiLCJ2ZXIiOjB9.PjizzU88RA7oFIRb"
    + "1aTOAcQdCJ_a17u-XFgvBEzYjPqLU7IsEldh5Uw-cJ-G40os4KBC86nO8v1VXFCCS0WcI3M1Y2qnX4KqfasvlCCNrDPnx9bkc0zx"
    + "Rx9Ypf-DGkA6lMFRCsHNBVZvpSlQMXVWZOAuXeCE2YNeNYKxBVtA8OJpcX11pwO0sCWxtXE1qRLln8hKz1qrFayWriTgz-WGvpXz"
    + "G8tGkfqpc6vg3-Fc0gBnKlCzgjENyEqiuHDLrT7wi4-p7oGU1_Tjl_n9x2sjEsrSr1oqCpeH5w_0Ccz3ypEgRHCfFZjpDusWh-Q8"
    + "By8gw1PG5cBk0JnU0A3Gnp-b2A"
}

extension String {
  fileprivate var padded: String {
    let text = replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return text + String(repeating: "=", count: (4 - text.count % 4) % 4)
  }
}

extension Data {
  fileprivate var url: String {
    base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }
}
