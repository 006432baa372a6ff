// A call that an object makes on its flow.

import EventStore

/// A call that an object makes on its flow.
struct IDXIntent: Sendable {
  var call: IDXCall
  var arguments: Result<[(String, JSON?)], InteractionCodeFlowError>
  /// The response that the object belongs to; `nil` for calls on the flow itself.
  var origin: ResponseOrigin?
  var session: IDXSession

  /// Creates a call on the flow itself.
  init(_ call: IDXCall, _ arguments: [(String, JSON?)] = [], _ session: IDXSession) {
    self.call = call
    self.arguments = .success(arguments)
    self.session = session
  }

  /// Creates a call on an object of a response.
  init(_ call: IDXCall, _ arguments: [(String, JSON?)] = [], on origin: ResponseOrigin) {
    self.call = call
    self.arguments = .success(arguments)
    self.origin = origin
    session = origin.session
  }

  /// Creates the submission of a form, with the values filled in.
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
  /// Passes a result to an older-style closure with a value and an error.
  func split(_ completion: (Success?, (any Error)?) -> Void) {
    switch self {
    case .success(let value): completion(value, nil)
    case .failure(let error): completion(nil, error)
    }
  }
}
