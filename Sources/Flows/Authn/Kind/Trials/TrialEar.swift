// What an application receives from its calls in trials.

import FlowRecording

/// Records what callbacks receive.
struct TrialEar: Sendable {
  let stage: FlowStage

  func changed(_ status: OktaAuthStatus) { stage.say("status \(TrialTexts.text(status))") }
  func failed(_ error: OktaError) { stage.say("error \(TrialTexts.text(error))") }
  func done() { stage.say("done") }
  func updated(_ result: OktaAPISuccessResponse.FactorResult) { stage.say("update \(result.rawValue)") }
  func waiting(_ status: OktaAuthStatus) { stage.say("waits in \(status.statusType.rawValue)") }

  /// Records the result of an awaited call.
  func hear(_ call: () async throws(OktaError) -> OktaAuthStatus) async {
    do throws(OktaError) { changed(try await call()) } catch { failed(error) }
  }

  /// Records the end of a call without a result.
  func hearEnd(_ call: () async throws(OktaError) -> Void) async {
    do throws(OktaError) {
      try await call()
      done()
    } catch { failed(error) }
  }
}
