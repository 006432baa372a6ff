// The public forms of recorded calls. Most calls can be made in several ways: with closures or awaited, with all
// parameters or by a short form. A whole replay makes each call in one of them, and a set of recordings in all.

package import EventStore
package import Foundation

/// One public form that says what a recorded call says.
package struct PlayedForm {
  /// How the form hands over what it brings.
  package enum Manner: Sendable {
    /// By closures.
    case closures
    /// As the method returns.
    case returning
    /// To a task that waits.
    case awaited
    /// Not at all: it was called without a closure.
    case silent
  }

  /// Names it among the forms of its call.
  let name: String
  let manner: Manner
  /// Makes the call.
  let make: () -> Void

  /// A form by its name.
  package init(_ name: String, _ manner: Manner = .closures, make: @escaping () -> Void) {
    (self.name, self.manner, self.make) = (name, manner, make)
  }
}

/// What became of a recorded call that public objects were to make.
package enum PlayedCall: Sendable, Equatable {
  /// It was made.
  case played
  /// No public form says what the recorded call says. Nothing was done.
  case noForm
  /// The objects do not offer it, in a sentence. Nothing was done.
  case refused(String)
}

/// Chooses among the forms of calls: always the same for the same call of the same flow.
package final class PlayedForms: Sendable {
  private struct State {
    var offered: Set<String> = []
    var chosen: Set<String> = []
    var manners: [Int: PlayedForm.Manner] = [:]
    /// How many calls were made that had the same forms to choose from.
    var turns: [String: Int] = [:]
    /// What the calls were given, by revision.
    var given: [Int: [String]] = [:]
    /// What the errors say that calls ended with, by the revisions of the calls.
    var errors: [Int: String] = [:]
  }

  private let stream: String
  private let givenUp: Set<Int>
  private let letGo: Set<Int>
  private let state = Locked(State())

  /// Forms of the calls of a flow.
  ///
  /// - Parameters:
  ///   - stream: the flow's stream.
  ///   - givenUp: the revisions of calls that the end of a task gave up.
  ///   - letGo: the revisions of calls that waited when the application let go of the flow, so that no task waited for them.
  package init(_ stream: String, givenUp: Set<Int> = [], letGo: Set<Int> = []) {
    self.stream = stream
    self.givenUp = givenUp
    self.letGo = letGo
  }

  /// A number below `count` that goes by the flow and what is chosen.
  package func pick(_ choice: some CustomStringConvertible, among count: Int) -> Int {
    let hash = StableHash.value("\(stream)#\(choice)")
    return Int((hash ^ hash >> 32) % UInt64(max(count, 1)))
  }

  /// Chooses one of several ways to do what no call is.
  ///
  /// - Parameters:
  ///   - what: what is done.
  ///   - ways: the ways; one that stands twice is chosen twice as often.
  package func choose(_ what: String, among ways: [String]) -> String {
    let way = ways[pick(what, among: ways.count)]
    state.withLock { state in
      for way in ways { state.offered.insert("\(what): \(way)") }
      state.chosen.insert("\(what): \(way)")
    }
    return way
  }

  /// Takes note of what a call is given, before it is made: a form counts as chosen with each of its arguments by
  /// itself.
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

  /// Arguments that are no choice of a form: which object is called, and what stands beside the call.
  private static let unnoted: Set = ["factor", "form", "fields", "pollMilliseconds", "stateToken", "link", "allow"]
  /// Arguments whose values are words of a list.
  private static let words: Set = ["factorType", "channel"]

  /// Makes a call in one of its forms.
  ///
  /// - Parameters:
  ///   - call: the call's name.
  ///   - revision: of the recorded call.
  ///   - forms: those that can say it, in an order of their own.
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

  /// Whether a call is being made that is to call back later.
  @TaskLocal static var isCalling = false

  /// How a call hands over what it brings; with closures unless a form says otherwise.
  package func manner(of call: Int) -> PlayedForm.Manner { state.withLock { $0.manners[call] ?? .closures } }

  /// Takes note of what the error says that a call ended with.
  ///
  /// - Parameter more: what it says to programs, such as numbers.
  package func hear(_ error: some LocalizedError, _ more: [String?] = [], of call: Int) {
    let text = [error.errorDescription, error.failureReason, error.recoverySuggestion] + more
    state.withLock { $0.errors[call] = text.map { $0 ?? "" }.joined(separator: "\n") }
  }

  /// What the errors say that calls ended with, by the revisions of the calls: the sentences of an error in lines, and
  /// what it says to programs.
  package var errors: [Int: String] { state.withLock { $0.errors } }

  /// The names of all forms that could say a call up to now, alone and with each argument.
  package var offered: Set<String> { state.withLock { $0.offered } }

  /// The names of those that did.
  package var chosen: Set<String> { state.withLock { $0.chosen } }
}
