// Scenarios that are played again. A whole replay makes each call in one of its public forms, which goes by the flow: more flows
// reach more forms.

public import FlowRecording
import Foundation

/// Flows of one kind that make up a golden recording.
public struct FormRecording: Sendable, CustomStringConvertible, Codable {
  /// One scenario, played once.
  public struct Part: Sendable, Codable {
    /// The scenario's name.
    public var scenario: String
    /// Distinguishes it from others of that name.
    public var seed: Int
    /// The number of a `Variation` of the org's answers; without one they stay as they are.
    public var variation: Int?
    /// Whether the application goes on by chance, and not as the scenario says.
    public var wanders: Bool?

    /// A part.
    public init(scenario: String, seed: Int, variation: Int? = nil, wanders: Bool? = nil) {
      (self.scenario, self.seed, self.variation, self.wanders) = (scenario, seed, variation, wanders)
    }

    /// Plays the scenario. No two parts have the same chance, so that their flows have names of their own. If the answers vary,
    /// the scenario ends where it does not know what to do.
    ///
    /// - Throws: an error if there is no scenario of that name.
    public func run(recorder: any Recorder) async throws {
      guard let variation else { return try await play(recorder) }
      let varied = Variation(variation, of: scenario)
      try await Variation.$current.withValue(varied) {
        do {
          try await wanders == true ? wander(recorder, varied.chance) : play(recorder)
        } catch let error as Unknown {
          throw error
        } catch {
          // It was not made for these answers.
        }
      }
    }

    private struct Unknown: Error, CustomStringConvertible { var description: String }

    private func wander(_ recorder: any Recorder, _ chance: Chance) async throws {
      let seed = StableHash.value("\(scenario) \(seed) \(variation ?? 0) wanders")
      if let scenario = (Scenario.flows + Scenario.rare).first(where: { $0.name == scenario }) {
        _ = try await Scenario.wandering(in: scenario, chance).run(recorder: recorder, seed: seed)
      } else if let scenario = (IDXScenario.golden + IDXScenario.rare).first(where: { $0.name == scenario }) {
        _ = try await IDXScenario.wandering(in: scenario, chance).run(recorder: recorder, seed: seed)
      } else {
        throw Unknown(description: "there is no wanderer in \(scenario)")
      }
    }

    private func play(_ recorder: any Recorder) async throws {
      let seed = StableHash.value("\(scenario) \(seed)\(variation.map { " \($0)" } ?? "")")
      if let scenario = (Scenario.flows + Scenario.rare).first(where: { $0.name == scenario }) {
        _ = try await scenario.run(recorder: recorder, seed: seed)
      } else if let scenario = (IDXScenario.golden + IDXScenario.rare).first(where: { $0.name == scenario }) {
        _ = try await scenario.run(recorder: recorder, seed: seed)
      } else if let scenario = (DeviceScenario.golden + DeviceScenario.rare).first(where: { $0.name == scenario }) {
        _ = try await scenario.run(recorder: recorder, seed: seed)
      } else if let scenario = (OIDCScenario.golden + OIDCScenario.rare).first(where: { $0.name == scenario }) {
        _ = try await scenario.run(recorder: recorder, seed: seed)
      } else {
        throw Unknown(description: "there is no scenario \(scenario)")
      }
    }
  }

  /// The recording's name.
  public var name: String
  /// The kind of its flows: `authn`.
  public var kind: String
  /// The flows, in order.
  public var parts: [Part]

  /// The name.
  public var description: String { name }

  /// Makes a recording of parts.
  public init(name: String, kind: String, parts: [Part]) {
    (self.name, self.kind, self.parts) = (name, kind, parts)
  }

  /// Reads the lists of them: `Recordings/forms.json`, and `Recordings/varied.json`, which `make vary` writes.
  public static func golden() throws -> [FormRecording] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Recordings")
    return try ["forms.json", "varied.json"].flatMap { name in
      try JSONDecoder().decode([FormRecording].self, from: Data(contentsOf: folder.appendingPathComponent(name)))
    }
  }

  /// Plays the scenarios one after the other.
  public func run(recorder: any Recorder) async throws {
    for part in parts { try await part.run(recorder: recorder) }
  }
}
