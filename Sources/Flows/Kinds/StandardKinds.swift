// The kinds of this package. A new one has its line here, which makes replay, reports and `auditctl` know it.

import Authn
import DeviceAuthenticator
public import FlowRecording
import IDX
import OIDC

extension KindRegistry {
  /// The kinds of flow that this package records.
  public static let standard = KindRegistry([AuthnKind.self, IDXKind.self, DeviceKind.self, OIDCKind.self])
}
