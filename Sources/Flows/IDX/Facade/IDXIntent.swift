// A call on its way into the flow.

import EventStore

/// What an object asks its flow for.
struct IDXIntent: Sendable {
  var call: IDXCall
  var arguments: Result<[(String, JSON?)], InteractionCodeFlowError>
  /// The response that the object belongs to; nil for the flow itself.
  var origin: ResponseOrigin?
  var session: IDXSession

  /// A call of the flow itself.
  init(_ call: IDXCall, _ arguments: [(String, JSON?)] = [], _ session: IDXSession) {
    self.call = call
    self.arguments = .success(arguments)
    self.session = session
  }

  /// A call of an object of a response.
  init(_ call: IDXCall, _ arguments: [(String, JSON?)] = [], on origin: ResponseOrigin) {
    self.call = call
    self.arguments = .success(arguments)
    self.origin = origin
    session = origin.session
  }

  /// The submission of a form, with what was filled in.
  init(proceed form: FormReading, _ reference: FormReference, _ fields: Remediation.Form?, _ origin: ResponseOrigin) {
    self.init(.proceed, on: origin)
    do throws(InteractionCodeFlowError) {
      let fills = try fields?.fills() ?? []
      arguments = .success([
        ("form", .string(reference.text)), ("name", form.name.map(JSON.string)),
        ("fields", fills.isEmpty ? nil : .array(fills)),
      ])
    } catch {
      arguments = .failure(error)
    }
  }
}

extension Result where Success: Sendable, Failure == InteractionCodeFlowError {
  /// Hands a result over to a closure of the older kind.
  func split(_ completion: (Success?, (any Error)?) -> Void) {
    switch self {
    case .success(let value): completion(value, nil)
    case .failure(let error): completion(nil, error)
    }
  }
}
