import Authn
import Foundation
import SimulatedOrg
import Testing

/// The page on porting: its code stands in programs, and does what the page says.
@Suite(.timeLimit(.minutes(1))) struct PortingGuideRuns {
  /// The code alone: no indentation, no empty lines.
  private func lines(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  @Test("the Swift code of docs/PORTING.md stands in programs")
  func code() throws {
    let text = try Checkout.text("docs/PORTING.md")
    let programs = ["Authn", "IDX"].flatMap { Checkout.programs($0) }.map(lines).joined(separator: "\n")
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    #expect(blocks.count >= 5)
    for block in blocks { #expect(programs.contains(lines(block)), "not in a program:\n\(block)") }
  }

  @MainActor
  @Test("a screen behind a layer without an actor is called back on the main actor")
  func screen() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone))
    let screen = Screen()
    _ = await bench.outcome { outcome in
      screen.show(bench.url, Bench.login, Bench.password) { outcome.settle("") }
    }
    #expect(screen.text == "MFA_REQUIRED")
    await bench.org.stop()
  }

  @Test("a handler as the original documents have it, and a subclass that counts")
  func handler() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone))
    let end = await bench.outcome { outcome in
      let handler = PortingGuide.Handler()
      handler.finished = { outcome.settle($0) }
      handler.signIn(bench.url, Bench.login, Bench.password)
    }
    #expect(end == "MFA_REQUIRED")
    let required = try await bench.status(as: OktaAuthStatusFactorRequired.self)
    let counted = try CountedRequired(currentState: required, model: required.model)
    let selected = await bench.outcome { outcome in
      counted.selectFactor(
        counted.availableFactors[0], onStatusChange: { outcome.settle($0.statusType.rawValue) },
        onError: { outcome.settle($0.description) })
    }
    #expect(selected == "MFA_CHALLENGE")
    #expect(counted.count == 1)
    await bench.org.stop()
  }
}
