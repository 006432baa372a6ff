// The seams that only the push authenticator needs (docs/ARCHITECTURE.md §4).

public import FlowRecording

/// The store for private keys.
public enum KeyStoreSeam: FlowSeam {
  private static let standard = MemoryKeyStore()

  /// A store in memory, shared by the process. An application that sets no store leaves no keys behind.
  public static var live: any KeyStore { standard }
}

/// The storage for enrollments.
public enum StorageSeam: FlowSeam {
  private static let standard = MemoryEnrollmentStorage()

  /// A storage in memory, shared by the process. An application that sets no storage leaves no enrollments behind.
  public static var live: any EnrollmentStorage { standard }
}

/// The verifier that checks whether the person is present.
public enum VerifierSeam: FlowSeam {
  /// A verifier that never asks, for a program that does not set one and so has no person to ask.
  public static var live: any UserVerifier { NoVerifier() }
}

/// The plug-ins that answer challenges that ask for signals by name.
public enum SignalPluginsSeam: FlowSeam {
  /// No plug-ins: each name is answered with an error.
  public static var live: [any SignalPlugin] { [] }
}

/// The source of facts about the device.
public enum SignalsSeam: FlowSeam {
  /// A device about which nothing is known. An authenticator without its own signals reads those of the machine
  /// instead.
  public static var live: any DeviceSignals { FixedSignals() }
}
