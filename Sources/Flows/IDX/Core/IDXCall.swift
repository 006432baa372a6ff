// The calls of an Identity Engine flow. Calls are recorded by name; the compiler checks that every call is handled.

/// The calls that an application can make on an Identity Engine flow.
package enum IDXCall: String, Sendable, CaseIterable {
  case start, restore, reset, resume
  case proceed, startPolling, stopPolling
  case exchangeCode, exchangeRedirect

  /// Whether the call returns tokens.
  var isExchange: Bool { self == .exchangeCode || self == .exchangeRedirect }
}
