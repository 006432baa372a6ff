// The calls of a flow of the Identity Engine. A call stands in the log by its name; the compiler checks that each is decided.

/// What an application may ask of a flow of the Identity Engine.
package enum IDXCall: String, Sendable, CaseIterable {
  case start, restore, reset, resume
  case proceed, startPolling, stopPolling
  case exchangeCode, exchangeRedirect

  /// Whether it brings tokens.
  var isExchange: Bool { self == .exchangeCode || self == .exchangeRedirect }
}
