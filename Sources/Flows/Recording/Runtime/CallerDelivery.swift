// A closure of the application on its way to the actor that its call was made from.

/// A closure bound to the actor that a call was made from.
///
/// `@unchecked`: it is run through `CallbackLanes` alone, on that actor.
package struct CallerDelivery<Value>: @unchecked Sendable {
  private let body: (Value) -> Void
  private let actor: (any Actor)?
  private let lanes: CallbackLanes

  /// Binds a closure to the actor that makes the current call.
  package init(_ lanes: CallbackLanes, _ body: @escaping (Value) -> Void) {
    self.body = body
    self.lanes = lanes
    actor = lanes.caller
  }

  /// Runs the closure on that actor.
  package func callAsFunction(_ value: Value) where Value: Sendable { lanes.run(on: actor) { body(value) } }
}
