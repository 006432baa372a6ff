// The public forms of recorded calls. Most calls can be made in several ways: with closures or awaited, with all
// parameters or by a short form. A full replay makes each call in one of them, and a set of recordings covers all.

package import EventStore
package import Foundation

/// One public form equivalent to a recorded call.
package struct PlayedForm {
  /// How the form returns its result.
  package enum Manner: Sendable {
    /// By closures.
    case closures
    /// As the return value.
    case returning
    /// To a waiting task.
    case awaited
    /// Not at all: it was called without a closure.
    case silent
  }

  /// Its name among the forms of the call.
  let name: String
  let manner: Manner
  /// Makes the call.
  let make: () -> Void

  /// A form by its name.
  package init(_ name: String, _ manner: Manner = .closures, make: @escaping () -> Void) {
    (self.name, self.manner, self.make) = (name, manner, make)
  }
}

/// The outcome of making a recorded call on public objects.
package enum PlayedCall: Sendable, Equatable {
  /// It was made.
  case played
  /// No public form is equivalent to the recorded call. Nothing was done.
  case noForm
  /// The objects do not offer it, with a sentence. Nothing was done.
  case refused(String)
}

/// Chooses among the forms of calls; always the same one for the same call of the same flow.
package final class PlayedForms: Sendable {
  private struct State {
    var offered: Set<String> = []
    var chosen: Set<String> = []
    var manners: [Int: PlayedForm.Manner] = [:]
    /// The number of calls made that had the same choice of forms.
    var turns: [String: Int] = [:]
    /// The arguments of the calls, by revision.
    var given: [Int: [String]] = [:]
    /// The texts of the errors that calls ended with, by the revision of the call.
    var errors: [Int: String] = [:]
  }

  private let stream: String
  private let givenUp: Set<Int>
  private let letGo: Set<Int>
  private let state = Locked(State())

  /// Makes the choices for a flow.
  ///
  /// - Parameters:
  ///   - stream: the flow's stream.
  ///   - givenUp: the revisions of calls that were cancelled with their task.
  ///   - letGo: the revisions of calls that were pending when the application released the flow, so that no task waited
  ///     for them.
  package init(_ stream: String, givenUp: Set<Int> = [], letGo: Set<Int> = []) {
    self.stream = stream
    self.givenUp = givenUp
    self.letGo = letGo
  }

  /// A number below `count` that depends only on the flow and the choice.
  package func pick(_ choice: some CustomStringConvertible, among count: Int) -> Int {
    let hash = StableHash.value("\(stream)#\(choice)")
    return Int((hash ^ hash >> 32) % UInt64(max(count, 1)))
  }

  /// Chooses one of several ways to do something other than a call.
  ///
  /// - Parameters:
  ///   - what: what is done.
  ///   - ways: the ways; one that is listed twice is chosen twice as often.
  package func choose(_ what: String, among ways: [String]) -> String {
    let way = ways[pick(what, among: ways.count)]
    state.withLock { state in
      for way in ways { state.offered.insert("\(what): \(way)") }
      state.chosen.insert("\(what): \(way)")
    }
    return way
  }

  /// Notes the arguments of a call before it is made: a form counts as chosen with each argument separately.
  package func note(_ arguments: JSON, at revision: Int) {
    let given = (arguments.object?.members ?? []).filter { !Self.unnoted.contains($0.key) }.map { member in
      switch member.value {
      case .bool(let flag): "\(member.key) \(flag)"
      case .string(let word) where Self.words.contains(member.key): "\(member.key) \(word)"
      case .null, .string, .number, .array, .object: member.key
      }
    }
    state.withLock { $0.given[revision] = given }
  }

  /// Arguments that do not affect the form: the object that is called, and data recorded with the call.
  private static let unnoted: Set = [
    "factor", "form", "fields", "pollMilliseconds", "pollOnceSent", "stateToken", "link", "allow",
  ]
  /// Arguments whose values are words of a list.
  private static let words: Set = ["factorType", "channel"]

  /// Makes a call in one of its forms.
  ///
  /// - Parameters:
  ///   - call: the call's name.
  ///   - revision: the revision of the recorded call.
  ///   - forms: the equivalent forms, in a fixed order.
  /// - Returns: `noForm` if there is none.
  package func play(_ call: String, at revision: Int, _ forms: [PlayedForm]) -> PlayedCall {
    var fitting = forms
    if givenUp.contains(revision) {
      fitting = forms.filter { $0.manner == .awaited }
    } else if letGo.contains(revision) {
      fitting = forms.filter { $0.manner != .awaited }
    }
    if fitting.isEmpty { fitting = forms }
    guard !fitting.isEmpty else { return .noForm }
    // Calls of one kind take turns, and each flow begins with another form.
    let kind = "\(call): \(forms[0].name)"
    let turn = state.withLock { state in
      defer { state.turns[kind, default: 0] += 1 }
      return state.turns[kind, default: 0]
    }
    let form = fitting[(pick(kind, among: fitting.count) + turn) % fitting.count]
    state.withLock { state in
      let given = [""] + (state.given.removeValue(forKey: revision) ?? []).map { ", with \($0)" }
      for form in forms { for one in given { state.offered.insert("\(call): \(form.name)\(one)") } }
      for one in given { state.chosen.insert("\(call): \(form.name)\(one)") }
      state.manners[revision] = form.manner
    }
    Self.$isCalling.withValue(form.manner == .closures, operation: form.make)
    return .played
  }

  /// Whether a call that will call back later is being made.
  @TaskLocal static var isCalling = false

  /// How a call returns its result; with closures unless a form specifies otherwise.
  package func manner(of call: Int) -> PlayedForm.Manner { state.withLock { $0.manners[call] ?? .closures } }

  /// Notes the text of the error that a call ended with.
  ///
  /// - Parameter more: its values for programs, such as numbers.
  package func hear(_ error: some LocalizedError, _ more: [String?] = [], of call: Int) {
    let text = [error.errorDescription, error.failureReason, error.recoverySuggestion] + more
    state.withLock { $0.errors[call] = text.map { $0 ?? "" }.joined(separator: "\n") }
  }

  /// The errors that calls ended with, by the revision of the call: the sentences as lines, and the values for
  /// programs.
  package var errors: [Int: String] { state.withLock { $0.errors } }

  /// The names of all forms available so far, alone and with each argument.
  package var offered: Set<String> { state.withLock { $0.offered } }

  /// The names of the chosen forms.
  package var chosen: Set<String> { state.withLock { $0.chosen } }
}
