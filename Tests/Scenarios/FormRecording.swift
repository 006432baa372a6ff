// Scenarios that are played again. A whole replay makes each call in one of its public forms, which goes by the flow: more flows
// reach more forms.

public import FlowRecording
import Foundation

/// Flows of one kind that make up a golden recording.
public struct FormRecording: Sendable, CustomStringConvertible, Decodable {
  /// One scenario, played once.
  public struct Part: Sendable, Decodable {
    /// The scenario's name.
    public var scenario: String
    /// Tells it from others of that name.
    public var seed: Int

    /// A part.
    public init(scenario: String, seed: Int) { (self.scenario, self.seed) = (scenario, seed) }

    /// Plays the scenario. No two parts have the same chance, so that their flows have names of their own.
    ///
    /// - Throws: `Scenario.Unexpected` if there is no scenario of that name.
    public func run(recorder: any Recorder) async throws {
      let seed = StableHash.value("\(scenario) \(seed)".utf8)
      if let scenario = (Scenario.flows + Scenario.rare).first(where: { $0.name == scenario }) {
        _ = try await scenario.run(recorder: recorder, seed: seed)
      } else if let scenario = (IDXScenario.golden + IDXScenario.rare).first(where: { $0.name == scenario }) {
        _ = try await scenario.run(recorder: recorder, seed: seed)
      } else if let scenario = (DeviceScenario.golden + DeviceScenario.rare).first(where: { $0.name == scenario }) {
        _ = try await scenario.run(recorder: recorder, seed: seed)
      } else if let scenario = (OIDCScenario.golden + OIDCScenario.rare).first(where: { $0.name == scenario }) {
        _ = try await scenario.run(recorder: recorder, seed: seed)
      } else {
        throw Scenario.Unexpected(description: "there is no scenario \(scenario)")
      }
    }
  }

  /// The recording's name.
  public var name: String
  /// The kind of its flows: `authn`.
  public var kind: String
  var parts: [Part]

  /// The name.
  public var description: String { name }

  /// Reads the list of them: `Recordings/forms.json`.
  public static func golden() throws -> [FormRecording] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Recordings/forms.json")
    return try JSONDecoder().decode([FormRecording].self, from: Data(contentsOf: file))
  }

  /// Plays the scenarios one after the other.
  public func run(recorder: any Recorder) async throws {
    for part in parts { try await part.run(recorder: recorder) }
  }
}
