import FlowRecording

extension RecordedFlow {
  /// A name that distinguishes flows whose streams have the same name: flows with a fixed clock begin with the same
  /// one.
  var stableName: String {
    var name = stream
    for record in records {
      switch record.event {
      case .callMade(let made): name += "\n\(record.revision) \(made.call)"
      case .responseReceived(let response): name += "\n\(record.revision) \(response.status)"
      case .flowStarted, .flowEnded, .requestSent, .requestFailed, .timerSet, .timerFired, .drawAsked, .drawMade,
        .callReturned, .noteAdded, .domain:
        break
      }
    }
    return StableHash.text(name)
  }
}
