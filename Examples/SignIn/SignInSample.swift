// A terminal program that signs in with any policy of the classic API or of the Identity Engine, recorded to a log.
//
//   auditctl simulate &                                   # an org to try it on
//   swift run sign-in-sample http://127.0.0.1:PORT audit  # asks for the rest
//   swift run sign-in-sample http://127.0.0.1:PORT audit idx
//   auditctl flows --store audit

import Authn
import FlowRecording
import Foundation

@main
@MainActor
struct SignInSample {
  static func main() {
    let arguments = CommandLine.arguments
    guard (3...6).contains(arguments.count), let org = URL(string: arguments[1]), org.host != nil,
      arguments.count == 3 || arguments[3] == "idx"
    else {
      let usage = "usage: sign-in-sample ORG-URL STORE-DIRECTORY [idx [CLIENT-ID REDIRECT-URI]]\n"
      FileHandle.standardError.write(Data(usage.utf8))
      exit(64)
    }
    let recorder = LogRecorder(directory: CommandLine.arguments[2])
    FlowEnvironment.setDefault(FlowEnvironment(recorder: recorder))
    let finished: (Int32) -> Void = { code in
      do {
        try recorder.close()
        exit(code)
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(74)
      }
    }
    if arguments.count > 3 {
      let clientId = arguments.count > 4 ? arguments[4] : "0oa1sampleapp0000001"
      let redirect = arguments.count > 5 ? arguments[5] : "com.example.app:/callback"
      let renderer = IdentityEngineRenderer(
        issuer: org.appendingPathComponent("oauth2/default"), clientId: clientId,
        redirectUri: URL(string: redirect) ?? org, finished: finished)
      renderer.start()
    } else {
      SignInHandler(finished: finished).start(org)
    }
    dispatchMain()
  }
}
