import Foundation
import Testing

@Suite struct ExplainTests {
  private static let body = #"""
    {"stateToken":"00a","status":"MFA_REQUIRED","_embedded":{"user":{"profile":{"login":"ann@acme.example"}},
     "factors":[{"id":"sms1","factorType":"sms","provider":"OKTA"}]},"_links":{"cancel":{"href":"https://a.example/c"}}}
    """#

  @Test("--json is the canonical summary, one line with sorted keys")
  func json() throws {
    let run = try Program.run(["explain", "-", "--json"], input: Self.body, in: Folder())
    #expect(run.code == 0)
    #expect(
      run.output == #"{"errorCauses":[],"errorCode":null,"errorSummary":null,"expiresAt":null,"factorResult":null,"#
        + #""factorType":null,"factors":[{"factorType":"sms","id":"sms1","provider":"OKTA"}],"hasSessionToken":false,"#
        + #""hasStateToken":true,"items":null,"links":["cancel"],"recoveryType":null,"status":"MFA_REQUIRED","#
        + "\"user\":\"ann@acme.example\"}\n")
  }

  @Test("the text names status, user, factors and links, and no token")
  func text() throws {
    let run = try Program.run(["explain", "-"], input: Self.body, in: Folder())
    #expect(run.lines.contains("status    MFA_REQUIRED"))
    #expect(run.lines.contains("factor    OKTA sms sms1"))
    #expect(!run.output.contains("00a"))
  }

  @Test("control characters of a response do not reach the terminal")
  func escaped() throws {
    let run = try Program.run(["explain", "-"], input: #"{"errorSummary":"\u001b[2Jgone"}"#, in: Folder())
    #expect(!run.output.contains("\u{1B}"))
    #expect(run.output.contains("gone"))
  }

  @Test("what is no JSON is explained as such, and is no success")
  func noJSON() throws {
    let folder = try Folder()
    #expect(
      try Program.run(["explain", "-", "--json"], input: "<html>", in: folder).output
        == "{\"error\":\"invalid-json\"}\n")
    let run = try Program.run(["explain", "-"], input: "<html>", in: folder)
    #expect(run.code == 65 && run.output.contains("no JSON") && run.errors.contains("standard input is no JSON"))
    let passwords = try Program.run(["explain", "/etc/passwd"], in: folder)
    #expect(passwords.code == 65 && passwords.errors.contains("/etc/passwd is no JSON"), "\(passwords.errors)")
  }

  @Test("JSON that is no response is no success; one of the other API is named", arguments: ["authn", "idx"])
  func noResponse(api: String) throws {
    let folder = try Folder()
    for body in ["7", #"{"name":"a package"}"#] {
      let run = try Program.run(["explain", "-", "--api", api], input: body, in: folder)
      #expect(run.code == 65 && run.errors.contains("no response"), "\(body): \(run.errors)")
    }
    // An answer without a body, or with an empty one, is one of the API that is named.
    for body in ["{}", " \n", "", "\u{FEFF}", "\u{FEFF}{}"] {
      #expect(try Program.run(["explain", "-", "--api", api, "--json"], input: body, in: folder).code == 0, "\(body)")
      #expect(try Program.run(["explain", "-", "--json"], input: body, in: folder).code == 65, "\(body)")
    }
    let other = api == "authn" ? Self.response : Self.body
    let run = try Program.run(["explain", "-", "--api", api], input: other, in: folder)
    #expect(run.code == 65 && run.errors.contains("--api \(api == "authn" ? "idx" : "authn")"), "\(run.errors)")
  }

  @Test("the API is seen by what the body has; an answer that says nothing is one")
  func found() throws {
    let folder = try Folder()
    for body in [
      Self.response, #"{"interaction_handle":"h"}"#, #"{"error":"invalid_request"}"#, "\u{FEFF}" + Self.response,
      #"{"terminal":{"value":{"message":"x"}}}"#, #"{"cancel":{"name":"cancel","href":"https://a.example/"}}"#,
      #"{"authenticators":{"value":[]}}"#,
    ] {
      let named = try Program.run(["explain", "-", "--api", "idx", "--json"], input: body, in: folder)
      let unnamed = try Program.run(["explain", "-", "--json"], input: body, in: folder)
      #expect(named.code == 0 && unnamed.code == 0 && unnamed.output == named.output, "\(body): \(unnamed.errors)")
    }
    for body in [Self.body, #"{"relayState":""}"#, #"{"_embedded":{}}"#] {
      let run = try Program.run(["explain", "-", "--json"], input: body, in: folder)
      #expect(run.code == 0 && run.output.contains("status"), "\(body): \(run.errors)")
    }
    let dated = #"{"stateHandle":"h","expiresAt":"2026-01-15T09:00:00.000Z"}"#
    let other = try Program.run(["explain", "-", "--api", "authn"], input: dated, in: folder)
    #expect(other.code == 65 && other.errors.contains("--api idx"))
  }

  @Test("each answer of a recording is explained")
  func recording() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "ann@acme.example")
    #expect(try recorded.run("export", flow, "--as", "recording", "-o", folder("r.ndjson.lz4")).code == 0)
    let records = try recorded.run("cat", "--stream", flow, "--type", "response.received").lines.count
    let run = try Program.run(["explain", folder("r.ndjson.lz4"), "--json"], in: folder)
    #expect(run.code == 0 && run.lines.count == records && records > 0, "\(run.errors)")
    let text = try Program.run(["explain", folder("r.ndjson.lz4")], in: folder)
    #expect(text.output.contains("revision") && text.output.contains("HTTP 200"))
  }

  @Test("a damaged recording is called that, and other files by what they are")
  func damaged() throws {
    let folder = try Folder()
    let make = try Program.shell(
      """
      lz4 -dc '\(GoldenPath.file("password-only"))' > whole.ndjson; head -c 1500 whole.ndjson > cut.ndjson
      sed 's/"status":200/"status":"200"/' whole.ndjson > wrong.ndjson; head -c 100 whole.ndjson > short.ndjson
      sed 's/ann@/\\xE4nn@/' whole.ndjson > latin.ndjson; gzip -c whole.ndjson > whole.gz
      echo '{"log":{"entries":[]}}' > a.har
      """, in: folder)
    #expect(try make.code == 0 && Program.run(["explain", "whole.ndjson"], in: folder).code == 0, "\(make)")
    for (file, words) in [
      ("cut.ndjson", "line 5: "), ("short.ndjson", "line 1: "), ("wrong.ndjson", "no usable member 'status'"),
      ("latin.ndjson", "is not UTF-8"), ("whole.gz", "is no response: it is compressed by gzip"),
      ("a.har", "auditctl import --har"),
    ] {
      let run = try Program.run(["explain", file], in: folder)
      #expect(run.code == 65 && run.errors.contains(words), "\(file): \(run)")
    }
    let other = try Program.run(["explain", GoldenPath.file("oidc-refused")], in: folder)
    #expect(other.code == 1 && other.errors.contains("no answer of the classic API"), "\(other)")
  }

  @Test("a missing file is 66, a directory too, another API 64")
  func badInput() throws {
    let folder = try Folder()
    #expect(try Program.run(["explain", "missing.json"], in: folder).code == 66)
    #expect(try Program.run(["explain", folder.path], in: folder).code == 66)
    #expect(try Program.run(["explain", "-", "--api", "smtp"], in: folder).code == 64)
  }

  private static let response = #"""
    {"version":"1.0.0","stateHandle":"02abc","intent":"LOGIN","remediation":{"value":[{"name":"identify","method":"POST",
     "href":"https://a.example/idp/idx/identify","value":[{"name":"identifier","required":true},
     {"name":"stateHandle","value":"02abc","mutable":false}]}]},"messages":{"value":[{"class":"ERROR","message":"no"}]}}
    """#

  @Test("--api idx explains a response of the Identity Engine, without its state handle")
  func identityEngine() throws {
    let folder = try Folder()
    let run = try Program.run(["explain", "-", "--api", "idx"], input: Self.response, in: folder)
    #expect(run.lines.contains("intent    LOGIN"))
    #expect(run.lines.contains("message   ERROR: no"))
    #expect(run.lines.contains("offers    identify https://a.example/idp/idx/identify"))
    #expect(run.output.contains("identifier required"))
    #expect(!run.output.contains("02abc"))
    let json = try Program.run(["explain", "-", "--api", "idx", "--json"], input: "", in: folder)
    #expect(
      json.output == #"{"authenticators":[],"canCancel":false,"current":null,"intent":null,"messages":[],"#
        + #""poll":null,"remediations":[],"successWithInteractionCode":false}"# + "\n")
  }
}
