import FlowRecording
import Testing

/// Seams that a kind of flow adds to the environment.
@Suite struct FlowSeamTests {
  private enum Greeting: FlowSeam {
    static var live: String { "live" }
  }
  private enum Parting: FlowSeam {
    static var live: String { "live" }
  }

  @Test func `a seam is what was set, and live before`() {
    var environment = FlowEnvironment()
    #expect(environment[Greeting.self] == "live")
    #expect(!environment.isSet(Greeting.self))
    environment[Greeting.self] = "set"
    #expect(environment.isSet(Greeting.self) && !environment.isSet(Parting.self))
    #expect(environment[Greeting.self] == "set" && environment[Parting.self] == "live")
    #expect(environment.run { FlowEnvironment.current[Greeting.self] } == "set")
  }
}
