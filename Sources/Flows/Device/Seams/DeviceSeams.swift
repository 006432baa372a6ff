// What the push authenticator needs from the world and no other flow does (docs/ARCHITECTURE.md §4).

public import FlowRecording

/// Where private keys are.
public enum KeyStoreSeam: FlowSeam {
  private static let standard = MemoryKeyStore()

  /// One store for the process, in memory: an application that sets none keeps no keys behind.
  public static var live: any KeyStore { standard }
}

/// Where enrollments are.
public enum StorageSeam: FlowSeam {
  private static let standard = MemoryEnrollmentStorage()

  /// One storage for the process, in memory: an application that sets none keeps no enrollments behind.
  public static var live: any EnrollmentStorage { standard }
}

/// Who verifies that the person is there.
public enum VerifierSeam: FlowSeam {
  /// No way to ask: a program that sets no verifier has no person in front of it.
  public static var live: any UserVerifier { NoVerifier() }
}

/// Who answers challenges that ask for signals by name.
public enum SignalPluginsSeam: FlowSeam {
  /// Nobody: each name is answered with an error.
  public static var live: [any SignalPlugin] { [] }
}

/// What is known of the device.
public enum SignalsSeam: FlowSeam {
  /// A device of which nothing is known. An authenticator without signals of its own reads those of the machine.
  public static var live: any DeviceSignals { FixedSignals() }
}
