// The application of an Identity Engine flow in a replay. It holds responses, fills in their forms, and submits them as
// recorded.

import EventStore
package import FlowRecording
import Foundation
import OIDC

extension IDXKind: PlayableKind {
  package typealias Application = IDXApplication
}

/// Plays an application that uses the public Identity Engine API.
package final class IDXApplication: PlayedApplication {
  let interaction: InteractionCodeFlow
  let rerun: FlowRerun
  private let recorder: ObservedRecorder<IDXHearing.News>?
  /// The only delegate; flows hold it weakly.
  private let hearing = IDXHearing()
  /// The calls made through their public forms, keyed by revision.
  private let calls = Locked<[Int: IDXCall]>([:])
  /// The problems found when calls were made, keyed by revision.
  private let wrongs = Locked<[Int: String]>([:])
  private let responses = Locked<[Int: Response]>([:])
  private let got = PlayedResults<Got>()
  /// The arguments with which the current sign-in was started; `nil` if no public form started it.
  let given = Locked<JSON?>([:])

  /// The result of a call.
  private enum Got: Sendable {
    case response(Response)
    case token(Token)
    /// A waiting task was cancelled.
    case cancelled
    case error(InteractionCodeFlowError)
  }

  package init?(_ start: FlowStarted, _ environment: FlowEnvironment) throws(PlayedRefusal) {
    let settings = start.settings
    guard start.resumes == nil, settings["deviceToken"] == nil, let rerun = environment.rerun,
      settings["redirectUri"] != nil
    else { return nil }
    guard let beginning = IDXBeginning(settings) else {
      throw PlayedRefusal("a sign-in of the Identity Engine cannot be set up like this")
    }
    var environment = environment
    let followed = Locked(IDXCore())
    recorder = environment.recorder.map { next in
      ObservedRecorder(next) { record in followed.withLock { core in IDXHearing.News(record, in: &core) } }
    }
    if let recorder { environment.recorder = recorder }
    self.rerun = rerun
    interaction = beginning.make(environment, rerun.forms)
    interaction.add(delegate: hearing)
  }

  package var flow: Flow<IDXCore> { interaction.session.flow }

  package func complaint(about outcome: CallReturned.Outcome, of call: Int, in core: IDXCore) -> String? {
    if let complaint = got.complaint(about: call) { return complaint }
    return wrongs.withLock { $0.removeValue(forKey: call) } ?? resultComplaint(about: outcome, of: call, in: core)
      ?? contextComplaint(in: core) ?? optionsComplaint
      ?? hearing.complaint(
        recorder?.notes ?? [], calls.withLock { $0 },
        silent: { [forms = rerun.forms] in forms.manner(of: $0) == .silent })
  }

  private func resultComplaint(about outcome: CallReturned.Outcome, of call: Int, in core: IDXCore) -> String? {
    let got = got.take(call)
    let manner = rerun.forms.manner(of: call)
    switch (outcome, got) {
    case (_, nil) where manner == .silent: return nil
    case (.cancelled, nil) where manner != .awaited: return nil
    case (.cancelled, .cancelled): return nil
    case (.done, nil) where calls.withLock({ $0[call] })?.isExchange != true: return nil
    case (.done, .token(let token)):
      return core.token.map { complaint(about: token, of: $0) } ?? "tokens were handed over that did not come"
    case (.status, .response(let response)): return complaint(about: response, in: core)
    case (.failed(let code, let details), .error(let error)):
      rerun.forms.hear(error, [error.details?.httpStatus.map(String.init), error.details?.reason], of: call)
      guard error.recordedCode == code else { return PlayedResults<Got>.error(error.recordedCode) }
      return IDXErrorCheck(error: error, details: details, secrets: rerun.secrets).complaint
    case (_, .error(let error)): return PlayedResults<Got>.error(error.recordedCode)
    case (_, .response), (_, .token), (_, .cancelled): return PlayedResults<Got>.another
    case (_, nil): return PlayedResults<Got>.nothing
    }
  }

  private func complaint(about response: Response, in core: IDXCore) -> String? {
    guard response.origin.state.snapshotRevision == core.snapshotRevision else {
      return "the response of another revision was handed over"
    }
    return IDXObjectCheck(response, answer: rerun.secrets.reveal(core.current?.body ?? .null)).complaint
  }

  // MARK: Calls

  package func call(_ made: CallMade, at revision: Int, on snapshot: IDXCore?) -> PlayedCall {
    guard let name = IDXCall(rawValue: made.call) else { return .noForm }
    calls.withLock { $0[revision] = name }
    let (got, responses) = (got, responses)
    let table = IDXFormTable(
      call: name, revision: revision, forms: rerun.forms, tasks: rerun.tasks, hearing: hearing,
      response: { response in
        got.keep(.response(response), of: revision)
        if let place = response.origin.state.snapshotRevision { responses.withLock { $0[place] = response } }
      },
      token: { got.keep(.token($0), of: revision) }, failed: { got.keep(.error($0), of: revision) },
      cancelled: { got.keep(.cancelled, of: revision) })
    let outcome = call(table, made, on: snapshot)
    if outcome != .played {
      calls.withLock { $0[revision] = nil }
      if [.start, .restore, .reset].contains(name) { given.withLock { $0 = nil } }
    }
    return outcome
  }

  private func call(_ table: IDXFormTable, _ made: CallMade, on snapshot: IDXCore?) -> PlayedCall {
    let interaction = interaction
    switch table.call {
    case .start: return start(table, made.arguments)
    case .resume:
      return table.play(
        result: { interaction.resume(completion: $0) }, split: { interaction.resume(completion: $0) },
        awaited: { try await interaction.resume() }, silent: { interaction.resume() })
    case .reset:
      given.withLock { $0 = [:] }
      return table.play([
        PlayedForm("reset", .silent) { interaction.reset() }, PlayedForm("cancel", .silent) { interaction.cancel() },
        PlayedForm("without context", .silent) { interaction.context = nil },
      ])
    case .exchangeRedirect: return exchange(table, made.arguments)
    case .exchangeCode:
      guard let response = response(made.on, snapshot) else { return .noForm }
      return table.playExchange(
        result: { response.exchangeCode(completion: $0) }, split: { response.exchangeCode(completion: $0) },
        awaited: { try await response.exchangeCode() }, silent: { response.exchangeCode() })
    case .proceed:
      guard let response = response(made.on, snapshot) else { return .noForm }
      return proceed(table, made.arguments, on: response)
    case .startPolling:
      guard let response = response(made.on, snapshot) else { return .noForm }
      guard let pollable = Self.pollable(made.arguments, of: response) else {
        return .refused("the response has nothing to poll for there")
      }
      return table.play(
        result: { pollable.startPolling(completion: $0) }, split: { pollable.startPolling(completion: $0) },
        awaited: { try await pollable.startPolling() }, silent: { pollable.startPolling() })
    case .stopPolling:
      guard let response = response(made.on, snapshot) else { return .noForm }
      guard let pollable = Self.pollables(of: response).first(where: \.isPolling) else {
        return .refused("the response says that nothing polls")
      }
      pollable.stopPolling()
      return .played
    case .restore: return restore(made.arguments)
    }
  }

  private func start(_ table: IDXFormTable, _ arguments: JSON) -> PlayedCall {
    guard let taken = options(arguments) else { return .noForm }
    let (interaction, options) = (interaction, StartOptions(values: taken))
    given.withLock { $0 = arguments }
    if let context = context(arguments), rerun.forms.choose("start", among: ["options", "context"]) == "context" {
      return table.play([
        PlayedForm("context, result") { interaction.start(with: context, completion: table.responses) },
        table.awaited("context, awaited", table.response) { try await interaction.start(with: context) },
      ])
    }
    return table.play(
      "options", result: { interaction.start(options: options.values, completion: $0) },
      split: { interaction.start(options: options.values, completion: $0) },
      awaited: { try await interaction.start(options: options.values) },
      silent: { interaction.start(options: options.values, completion: nil as InteractionCodeFlow.ResponseResult?) })
  }

  private func exchange(_ table: IDXFormTable, _ arguments: JSON) -> PlayedCall {
    guard let url = redirect(arguments) else { return .noForm }
    if !isRead(url, arguments) { wrongs.withLock { $0[table.revision] = "the redirect was taken for another one" } }
    let interaction = interaction
    return table.playExchange(
      result: { interaction.exchangeCode(redirect: url, completion: $0) },
      split: { interaction.exchangeCode(redirect: url, completion: $0) },
      awaited: { try await interaction.exchangeCode(redirect: url) },
      silent: { interaction.exchangeCode(redirect: url) })
  }

  /// Returns the response with a revision. It is returned only once, because another call fills in the forms of a new
  /// object.
  private func response(_ revision: Int?, _ snapshot: IDXCore?) -> Response? {
    let held = revision.flatMap { revision in responses.withLock { $0.removeValue(forKey: revision) } }
    return held ?? snapshot.map { Response($0, interaction.session) }
  }

  private func options(_ arguments: JSON) -> [InteractionCodeFlow.Option: Any]? {
    var options: [InteractionCodeFlow.Option: Any] = [:]
    for member in arguments.object?.members ?? [] {
      guard let option = InteractionCodeFlow.Option(rawValue: member.key), let value = FormValues.value(member.value)
      else { return nil }
      options[option] = value
    }
    return options
  }

  private func redirect(_ arguments: JSON) -> URL? {
    guard let address = arguments["redirect"]?.string else { return nil }
    let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    let query = ["state", "interaction_code", "error", "error_description"].compactMap { name in
      arguments[name]?.string.flatMap { $0.addingPercentEncoding(withAllowedCharacters: unreserved) }
        .map { name + "=" + $0 }
    }
    let text = query.isEmpty ? address : address + "?" + query.joined(separator: "&")
    guard let url = URL(string: text), url.absoluteString == text else { return nil }
    return url
  }

  /// Whether the flow interprets a redirect as its parameters require (idx §11.2).
  private func isRead(_ url: URL, _ arguments: JSON) -> Bool {
    let result = interaction.redirectResult(for: url)
    // A URL that differs from the application's in its spelling may still be equivalent.
    guard arguments["redirect"]?.string == interaction.redirectUri.absoluteString else { return true }
    guard let context = interaction.context, arguments["state"]?.string == context.state else {
      return result == .invalidContext
    }
    if arguments["interaction_code"]?.string != nil { return result == .authenticated }
    return result == (arguments["error"] == "interaction_required" ? .remediationRequired : .invalidContext)
  }

  // MARK: Forms

  private func proceed(_ table: IDXFormTable, _ arguments: JSON, on response: Response) -> PlayedCall {
    let fills = arguments["fields"]?.array ?? []
    switch arguments["form"]?.string.flatMap(FormReference.init) {
    case .remediation(let index):
      guard let remediation = response.remediations.first(where: { $0.reference == .remediation(index) }) else {
        return .refused("the response has no such remediation")
      }
      for one in fills {
        let filled = fill(one, in: remediation.form, of: table.revision)
        if filled != .played { return filled }
      }
      return table.play(
        "remediation", result: { remediation.proceed(completion: $0) }, split: { remediation.proceed(completion: $0) },
        awaited: { try await remediation.proceed() }, silent: { remediation.proceed() })
    case .cancel where fills.isEmpty:
      guard response.canCancel else { return .refused("the response says that it cannot be cancelled") }
      return table.play(
        "cancel", result: { response.cancel(completion: $0) }, split: { response.cancel(completion: $0) },
        awaited: { try await response.cancel() }, silent: { response.cancel() })
    case .authenticator(let index, let name) where fills.isEmpty:
      guard response.authenticators.indices.contains(index) else {
        return .refused("the response has no such authenticator")
      }
      return act(table, name, on: response.authenticators[index])
    case .cancel, .success, .authenticator, nil: return .noForm
    }
  }

  private func act(_ table: IDXFormTable, _ name: String, on authenticator: Authenticator) -> PlayedCall {
    let refused = PlayedCall.refused("the authenticator does not offer \(name)")
    switch name {
    case "send":
      guard let capability = authenticator.sendable else { return refused }
      return table.play(
        "send", result: { capability.send(completion: $0) }, split: { capability.send(completion: $0) },
        awaited: { try await capability.send() }, silent: { capability.send() })
    case "resend":
      guard let capability = authenticator.resendable else { return refused }
      return table.play(
        "resend", result: { capability.resend(completion: $0) }, split: { capability.resend(completion: $0) },
        awaited: { try await capability.resend() }, silent: { capability.resend() })
    case "recover":
      guard let capability = authenticator.recoverable else { return refused }
      return table.play(
        "recover", result: { capability.recover(completion: $0) }, split: { capability.recover(completion: $0) },
        awaited: { try await capability.recover() }, silent: { capability.recover() })
    default: return .noForm
    }
  }

  /// Fills in a field by its position: `1/0` is the first field inside the second; `1:2/0` is the first field inside
  /// the third option of the second.
  private func fill(_ fill: JSON, in form: Remediation.Form, of call: Int) -> PlayedCall {
    guard let place = fill["at"]?.string else { return .noForm }
    let refused = PlayedCall.refused("the remediation has no field at \(place)")
    var form: Remediation.Form? = form
    var field: Remediation.Form.Field?
    var names = ""
    for part in place.split(separator: "/") {
      let numbers = part.split(separator: ":").compactMap { Int($0) }
      guard let fields = form?.allFields, let index = numbers.first, fields.indices.contains(index) else {
        return refused
      }
      field = fields[index]
      form = field?.form
      names = FormSubmission.path(names, fields[index].reading)
      if numbers.count == 2 {
        guard let options = field?.options, options.indices.contains(numbers[1]) else { return refused }
        form = options[numbers[1]].form
      }
    }
    guard let field else { return refused }
    // The name was masked differently than in the response, because a word of it is a secret elsewhere.
    guard fill["name"]?.string == names else { return .noForm }
    if let option = fill["option"]?.int {
      guard let options = field.options, options.indices.contains(option) else { return refused }
      field.selectedOption = options[option]
    } else if fill["value"] == .null {
      field.value = nil
    } else if case .bool(let flag)? = fill["value"], field.type == "boolean",
      rerun.forms.pick("\(call) \(place)", among: 2) == 0
    {
      // The word has the same meaning and is shown as it was typed.
      field.value = flag ? "true" : "false"
      return .played
    } else {
      guard let value = FormValues.value(fill["value"]) else { return .noForm }
      field.value = value
    }
    if let wrong = IDXObjectCheck.complaint(about: field, filledBy: fill) { wrongs.withLock { $0[call] = wrong } }
    return .played
  }

  private static func pollables(of response: Response) -> [Capability.Pollable] {
    response.authenticators.compactMap(\.pollable) + response.remediations.compactMap(\.pollable)
  }

  private static func pollable(_ arguments: JSON, of response: Response) -> Capability.Pollable? {
    let source = IDXCore.Poll.Source(arguments)
    return pollables(of: response).first { $0.source == source }
  }
}

/// The options of a start. `@unchecked`: the values come from JSON and never change.
private struct StartOptions: @unchecked Sendable {
  let values: [InteractionCodeFlow.Option: Any]
}
