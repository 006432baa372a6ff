import DeviceAuthenticator
import Testing

/// Receipts unlock keys, so they print nothing.
@Suite struct ReceiptTests {
  @Test func `a receipt prints its method alone`() {
    let receipt = VerificationReceipt(method: .pin, secret: Array(repeating: 0x41, count: 32))
    var dumped = ""
    dump(receipt, to: &dumped)
    for text in ["\(receipt)", String(reflecting: receipt), dumped] {
      #expect(text.contains("pin") && !text.contains("65") && !text.contains("AAAA"), "\(text)")
    }
  }
}
