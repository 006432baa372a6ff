// A terminal program that signs in with any policy of the classic API, recorded to a log.
//
//   auditctl simulate &                                   # an org to try it on
//   swift run sign-in-sample http://127.0.0.1:PORT audit  # asks for the rest
//   auditctl flows --store audit

import Authn
import FlowRecording
import Foundation

@main
@MainActor
struct SignInSample {
  static func main() {
    guard CommandLine.arguments.count == 3, let org = URL(string: CommandLine.arguments[1]), org.host != nil else {
      FileHandle.standardError.write(Data("usage: sign-in-sample ORG-URL STORE-DIRECTORY\n".utf8))
      exit(64)
    }
    let recorder = LogRecorder(directory: CommandLine.arguments[2])
    FlowEnvironment.setDefault(FlowEnvironment(recorder: recorder))
    let handler = SignInHandler { code in
      do {
        try recorder.close()
        exit(code)
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(74)
      }
    }
    handler.start(org)
    dispatchMain()
  }
}
