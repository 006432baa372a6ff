import DeviceAuthenticator
import Foundation
import Testing

@Suite struct ErrorTextTests {
  @Test(
    "an answer of the org that refuses has a localized description, whatever it says of itself",
    arguments: [
      (nil, "The server call failed with HTTP status 401"),
      (
        ServerAPIErrorModel(errorCode: .invalidToken, errorSummary: "Invalid token provided"),
        "The server call failed with HTTP status 401 (E0000011): Invalid token provided"
      ),
    ] as [(ServerAPIErrorModel?, String)])
  func refusal(model: ServerAPIErrorModel?, says: String) {
    let error = DeviceAuthenticatorError.serverAPIError(HTTPURLResult(statusCode: 401), model)
    #expect(error.localizedDescription == says)
    #expect((error as any Error).localizedDescription == says)
    #expect(error.errorUserInfo["result"] as? HTTPURLResult == HTTPURLResult(statusCode: 401))
  }
}
