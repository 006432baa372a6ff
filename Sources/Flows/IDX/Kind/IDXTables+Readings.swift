// What is read from an answer that contains most members, unchanged and with each value changed in turn.

import EventStore
import FlowRecording

extension IDXKind {
  static var readings: Set<String> {
    let lines: [String] = [forms, authenticators].flatMap { document in
      RuntimeTables.changes(of: document) { changed in
        text(of: ResponseReading(changed)) + RuntimeTables.masked(changed, by: policy)
      }
    }
    let doubled = RuntimeTables.changes(of: several) { text(of: ResponseReading($0)) }
    let retyped = [forms, authenticators].flatMap { document in
      RuntimeTables.retyped(document) { text(of: ResponseReading($0)) }
    }
    return Set(lines + doubled + retyped + referenced)
  }

  /// The forms that references lead to.
  private static var referenced: [String] {
    let names = ["send", "resend", "poll", "recover", "odd"]
    let texts =
      [
        "cancel", "success", "cancel/0", "/cancel", "remediation", "remediation/x", "remediation/+1", "remediation//1",
        "authenticator/0", "authenticator/x/poll", "authenticator/1/poll/0", "", "odd",
      ]
      + (-1...5).flatMap { place in
        ["remediation/\(place)"] + names.map { "authenticator/\(place)/\($0)" }
      }
    return [forms, authenticators, several].enumerated().flatMap { number, document in
      texts.map { text in
        let reference = FormReference(text)
        let form = reference.flatMap(ResponseReading(document).form)
        return "\(number) \(text)|\(reference?.text ?? "-")|\(form.map(lines) ?? [])"
      }
    }
  }

  private static func text(of response: ResponseReading) -> String {
    var lines = [CanonicalSummary.summary(of: response.json.bytes).text]
    lines.append("\(response.intent ?? "-") \(response.expiresAt ?? "-") \(response.isTerminal) \(response.isResponse)")
    lines += response.allMessages.map { message, field in
      "\(message.text ?? "-") \(message.key ?? "-") \(message.severity ?? "-") \(field?.name ?? "-")"
    }
    lines += response.forms.flatMap(self.lines)
    for authenticator in response.authenticators {
      lines.append(
        "\(authenticator.paths) \(authenticator.state.name) \(authenticator.type ?? "-") \(authenticator.id ?? "-") "
          + "\(authenticator.displayName ?? "-") \(authenticator.key ?? "-") \(authenticator.methods) "
          + "\(authenticator.isCurrent) \(authenticator.capabilities) \(authenticator.correctAnswer ?? "-") "
          + "\(authenticator.qrCode.map { "\($0.mimeType) \($0.base64)" } ?? "-") "
          + "\(authenticator.duo.map { "\($0.host) \($0.signedToken) \($0.script)" } ?? "-") "
          + [authenticator.passwordSettings, authenticator.profile, authenticator.contextualData].map {
            $0?.text ?? "-"
          }
          .joined(separator: " "))
      for name in ["poll", "resend", "recover", "send"] { lines += authenticator.form(name).map(self.lines) ?? [] }
    }
    return lines.joined(separator: "\n")
  }

  private static func lines(of form: FormReading) -> [String] {
    let head =
      "\(form.name ?? "-") \(form.method ?? "-") \(form.href ?? "-") \(form.accepts ?? "-") \(form.refresh?.text ?? "-") "
      + "\(form.relatesTo)"
    return [head] + form.fields.flatMap(lines)
  }

  private static func lines(of field: FieldReading) -> [String] {
    let texts = [field.name, field.ownName, field.label, field.type, field.value?.text, field.relatesTo]
    let flags = [field.isRequired, field.isSecret, field.isMutable, field.isVisible, field.hasVisibleFields]
    return [
      "\(texts.map { $0 ?? "-" }) \(flags) \(field.messages.map { $0.text ?? "-" }) \(field.options?.count ?? -1)"
    ]
      + ((field.nested ?? []) + (field.options ?? [])).flatMap(lines)
  }

  private static func json(_ text: String) -> JSON { (try? JSON(parsing: Array(text.utf8))) ?? .null }

  /// Forms with all kinds of fields, and messages in all places.
  static let forms = json(
    #"""
    {"version":"1.0.0","stateHandle":"02h","expiresAt":"2026-01-15T09:05:00.000Z","intent":"LOGIN",
     "messages":{"type":"array","value":[{"message":"Try again.","i18n":{"key":"errors.E0000004"},"class":"ERROR"}]},
     "remediation":{"type":"array","value":[
      {"rel":["create-form"],"name":"identify","href":"https://acme.example/idp/idx/identify","method":"POST",
       "produces":"application/ion+json; okta-version=1.0.0","accepts":"application/json; okta-version=1.0.0","refresh":2000,
       "value":[
        {"name":"identifier","label":"Username","required":true,"value":"ann@acme.example"},
        {"name":"credentials","type":"object","form":{"value":[
          {"name":"passcode","label":"Password","secret":true,"required":"TRUE",
           "messages":{"type":"array","value":[{"message":"Wrong.","i18n":{"key":"k"},"class":"ERROR"}]}}]}},
        {"name":"rememberMe","type":"boolean","label":"Keep me signed in","value":null},
        {"name":"userProfile.email","label":"Email","type":"string","mutable":false,"value":"a@b.example"},
        {"name":"stateHandle","required":true,"value":"02h","visible":false,"mutable":false}]},
      {"name":"select-authenticator-authenticate","href":"https://acme.example/idp/idx/challenge","method":"POST","value":[
        {"name":"authenticator","type":"object","options":[
          {"label":"Okta Verify","relatesTo":"$.authenticatorEnrollments.value[0]","value":{"form":{"value":[
            {"name":"id","required":true,"value":"aut1","mutable":false},
            {"name":"methodType","type":"string","options":[{"label":"Push","value":"push"},{"label":"Code","value":"totp"}]}]}}},
          {"label":"Other","value":7}]}]},
      {"name":"redirect-idp","type":"GOOGLE","idp":{"id":"idp1","name":"Google"},"href":"https://acme.example/sso/idps/idp1","method":"GET"},
      {"name":"cancel","href":"https://acme.example/idp/idx/cancel","method":"POST","value":[]},
      {"name":"enroll-poll","relatesTo":["$.currentAuthenticator"],"href":"https://acme.example/idp/idx/poll","method":"POST"}]},
     "successWithInteractionCode":{"name":"issue","href":"https://acme.example/oauth2/v1/token","method":"POST","value":[
        {"name":"grant_type","value":"interaction_code","mutable":false},{"name":"interaction_code","value":"code"},
        {"name":"code_verifier","required":true}]},
     "user":{"type":"object","value":{"id":"00u1","identifier":"ann@acme.example","profile":{"firstName":"Ann","timeZone":"UTC"}}},
     "app":{"type":"object","value":{"name":"oidc_client","label":"App","id":"0oa1"}}}
    """#)

  /// Authenticators in all states, with their related data.
  static let authenticators = json(
    #"""
    {"version":"1.0.0","stateHandle":"02h","remediation":{"type":"array","value":[
      {"name":"challenge-authenticator","relatesTo":["$.currentAuthenticatorEnrollment"],"href":"https://acme.example/a","method":"POST",
       "value":[{"name":"credentials","form":{"value":[{"name":"passcode"},{"name":"answer"}]}}]}]},
     "currentAuthenticator":{"type":"object","value":{"type":"app","id":"aut1","key":"okta_verify","displayName":"Okta Verify",
       "methods":[{"type":"push"},{"type":"totp"}],
       "contextualData":{"qrcode":{"method":"embedded","href":"data:image/png;base64,aGk=","type":"image/png"},"sharedSecret":"S3CR",
         "selectedChannel":"qrcode","correctAnswer":"42","email":"a@b.example","phoneNumber":"+1"},
       "poll":{"name":"poll","href":"https://acme.example/poll","method":"POST","refresh":4000,"value":[]},
       "send":{"name":"send","href":"https://acme.example/send","method":"POST"}}},
     "currentAuthenticatorEnrollment":{"type":"object","value":{"type":"phone","id":"pae1","key":"phone_number","displayName":"Phone",
       "methods":[{"type":"sms"},{"type":"voice"}],"profile":{"phoneNumber":"+1 XXX"},
       "resend":{"name":"resend","href":"https://acme.example/resend","method":"POST"},
       "recover":{"name":"recover","href":"https://acme.example/recover","method":"POST"}}},
     "authenticators":{"type":"array","value":[
       {"type":"password","id":"aut2","key":"okta_password","displayName":"Password","methods":[{"type":"password"}],
        "settings":{"complexity":{"minLength":8},"age":{"historyCount":4}}},
       {"type":"security_key","id":"aut3","key":"webauthn","methods":[{"type":"webauthn"}],
        "contextualData":{"challengeData":{"challenge":"c","rpId":"acme.example"},"activationData":{"rp":{"id":"acme.example"}}}},
       {"type":"app","id":"aut4","key":"duo","methods":[{"type":"duo"}],
        "contextualData":{"host":"duo.example","signedToken":"s","script":"https://duo.example/x"}}]},
     "authenticatorEnrollments":{"type":"array","value":[
       {"type":"app","id":"aut1e","key":"okta_verify","displayName":"Okta Verify","methods":[{"type":"signedNonce"}]},
       {"type":"security_question","id":"aut5","key":"security_question","profile":{"question":"What?","questionKey":"q"},
        "contextualData":{"enrolledQuestion":{"questionKey":"q","question":"What?"},"questions":[{"questionKey":"q"}]}}]},
     "enrollmentAuthenticator":{"type":"object","value":{"type":"email","id":"aut6","key":"okta_email"}}}
    """#)

  /// Two of everything of which the first, the last, or any counts: the two differ.
  private static let several = json(
    #"""
    {"version":"1.0.0","stateHandle":"02h","intent":"LOGIN",
     "messages":{"type":"array","value":[{"message":"One.","i18n":{"key":"one"},"class":"INFO"},
       {"message":"Two.","i18n":{"key":"two"},"class":"ERROR"}]},
     "remediation":{"type":"array","value":[
      {"name":"challenge-poll","href":"https://acme.example/p1","method":"POST","refresh":2000,"value":[]},
      {"name":"enroll-poll","href":"https://acme.example/p2","method":"POST","refresh":3000,"value":[]},
      {"name":"challenge-poll","href":"https://acme.example/p3","method":"POST","refresh":4000,"value":[]}]},
     "currentAuthenticator":{"type":"object","value":{"type":"app","id":"a","displayName":"One",
       "methods":[{"type":"push"},{"type":"duo"},{"type":"otp"}],"profile":{"n":1},"settings":{"s":1},
       "contextualData":{"correctAnswer":"1","qrcode":{"method":"embedded","type":"image/png",
         "href":"data:image/png;x;base64,QQ=="}},
       "send":{"name":"send"},"resend":{"name":"resend","href":"https://acme.example/r1","method":"POST"},
       "poll":{"name":"poll","href":"https://acme.example/q1","method":"POST","refresh":1000}}},
     "authenticatorEnrollments":{"type":"array","value":[{"type":"app","id":"a","key":"duo","displayName":"Two",
       "methods":[{"type":"totp"}],"profile":{"n":2},"settings":{"s":2},"allowedFor":"sso",
       "contextualData":{"correctAnswer":"2","host":"h.example","signedToken":"t","script":"s"},
       "send":{"name":"send","href":"https://acme.example/s2","method":"POST"},
       "resend":{"name":"resend","href":"https://acme.example/r2","method":"POST"},
       "poll":{"name":"poll","href":"https://acme.example/q2","method":"POST","refresh":5000}}]},
     "authenticators":{"type":"array","value":[
       {"type":"app","id":"a","key":"okta_verify","methods":[{"type":"sms"},{"type":"push"}],"allowedFor":"any"},
       {"type":"password","id":"b","methods":[{"type":"password"},{"type":"otp"}],"settings":{"complexity":{}}},
       {"type":"app","id":"c","methods":[{"type":"totp"},{"type":"push"}],
         "contextualData":{"qrcode":{"method":"embedded","type":"image/png","href":"data:image/png;base64,Qg=="}}}]}}
    """#)
}
