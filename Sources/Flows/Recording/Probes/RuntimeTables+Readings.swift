// What is read from events with all possible members, unchanged and with each value changed.

import EventStore

extension RuntimeTables {
  static var events: [String] {
    documents.flatMap { type, text -> [String] in
      guard let document = try? JSON(parsing: Array(text.utf8)) else { return [line(type, "no document")] }
      return changes(of: document) { data in
        guard let event = try? FlowEvent(type: type, version: 1, data: data) else { return "refused" }
        return "\(event.type) \(event.version) \(event.data.text)"
      }.map { "\(type) \($0)" }
    }
  }

  /// Events with all possible members.
  static let documents: [(type: String, text: String)] = [
    (
      FlowStarted.type,
      #"{"kind":"authn","sdk":"s/1","settings":{"org":"https://a.example","listener":true},"resumes":"authn/1","#
        + #""context":{"app":{"id":"i","name":"n","version":"1"},"client":{"os":"o","model":"m","locale":"l","address":"a"},"#
        + #""device":"d","instance":"i","correlation":"c","trace":"t"}}"#
    ),
    (FlowEnded.type, #"{"outcome":"success"}"#), (NoteAdded.type, #"{"text":"a note"}"#),
    (CallMade.type, #"{"call":"authenticate","arguments":{"username":"ann","n":1},"on":7}"#),
    (CallReturned.type, #"{"call":3,"outcome":"error","error":"code","details":{"httpStatus":401}}"#),
    (CallReturned.type, #"{"call":3,"outcome":"status"}"#), (CallReturned.type, #"{"call":3,"outcome":"cancelled"}"#),
    (CallReturned.type, #"{"call":3,"outcome":"done"}"#),
    (
      RequestSent.type,
      #"{"method":"POST","url":"https://a.example/x?y=1","headers":[["Accept","json"]],"body":{"a":"b"},"encoding":"form","#
        + #""foreignOrigin":"https://b.example"}"#
    ),
    (
      ResponseReceived.type,
      #"{"status":200,"headers":[["Date","d"]],"body":{"a":1},"timing":{"lookup":1,"connect":2,"secured":3,"firstByte":4,"total":5,"bytes":6}}"#
    ),
    (
      ResponseReceived.type,
      #"{"status":200,"headers":[],"opaque":{"reason":"r","length":5,"placeholder":"$secret.body.1$"}}"#
    ),
    (RequestFailed.type, #"{"code":"timedOut","detail":"d"}"#),
    (DrawAsked.type, #"{"kind":"entropy","ordinal":2,"input":{"a":"b"}}"#),
    (DrawMade.type, #"{"kind":"userAgent","ordinal":2,"value":{"a":"b"}}"#),
    (DrawMade.type, #"{"kind":"userAgent","ordinal":2,"failure":"cancelled","detail":"d"}"#),
    (TimerSet.type, #"{"ms":5000,"for":"poll"}"#), (TimerFired.type, #"{}"#), ("other.event", #"{"a":1}"#),
  ]
}
