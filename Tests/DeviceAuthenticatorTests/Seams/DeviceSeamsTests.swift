import DeviceAuthenticator
import FlowRecording
import Testing

/// The seams of the push authenticator.
@Suite struct DeviceSeamsTests {
  @Test func `a program that sets nothing asks no one and says nothing of its device`() {
    let environment = FlowEnvironment()
    #expect(environment[VerifierSeam.self].capability == .none)
    #expect(environment[SignalsSeam.self].read().displayName == "Linux device")
  }

  @Test func `what is set is used`() throws {
    var environment = FlowEnvironment()
    let keys = MemoryKeyStore(protection: .hardware)
    environment[KeyStoreSeam.self] = keys
    environment[StorageSeam.self] = MemoryEnrollmentStorage()
    environment[VerifierSeam.self] = ScriptedVerifier(capability: .face)
    environment[SignalsSeam.self] = FixedSignals(DeviceProfile(displayName: "build-host-7", osVersion: "24.4.0"))
    #expect(environment[KeyStoreSeam.self].protection == .hardware)
    #expect(environment[VerifierSeam.self].capability == .face)
    #expect(environment[SignalsSeam.self].read().osVersion == "24.4.0")
    #expect(try environment[StorageSeam.self].enrollments().isEmpty)
  }
}
