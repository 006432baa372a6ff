import Hummingbird

/// The style and the script, which are part of the program.
struct Asset: Sendable {
  let path: String
  let type: String
  let text: String

  static let all = [style, script]

  var response: Response {
    Response(
      status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  /// Asks every second whether there is a newer page. If there is, or the session is over, the server knows what to show.
  private static let script = Asset(
    path: "/wait.js", type: "text/javascript; charset=utf-8",
    text: """
      "use strict";
      const step = Number(document.currentScript.dataset.step);
      async function look() {
        try {
          const answer = await fetch("/sign-in/state");
          if (!answer.ok || (await answer.json()).step !== step) return location.replace("/sign-in");
        } catch {
          // The server does not answer for the moment.
        }
        setTimeout(look, 1000);
      }
      look();

      """)

  private static let style = Asset(
    path: "/style.css", type: "text/css; charset=utf-8",
    text: """
      :root { color-scheme: light dark; --line: #8888; --strong: #1a56c4; --wrong: #b3261e; }
      @media (prefers-color-scheme: dark) { :root { --strong: #8ab4ff; --wrong: #ff9d94; } }
      * { box-sizing: border-box; }
      body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
      main { max-width: 26rem; margin: 8vh auto; padding: 1.5rem; border: 1px solid var(--line); border-radius: .75rem; }
      @media (max-width: 28rem) { main { margin: 0; border: 0; } }
      h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.2; overflow-wrap: anywhere; }
      p { margin: 0 0 1rem; overflow-wrap: anywhere; }
      form { display: grid; gap: 1rem; margin: 0 0 1rem; }
      label { display: grid; gap: .25rem; }
      label.flag, .choice > label { display: flex; align-items: center; gap: .5rem; }
      input[type=text], input[type=password] {
        width: 100%; padding: .6rem; font: inherit; border: 1px solid var(--line); border-radius: .4rem; }
      fieldset { display: grid; gap: .5rem; margin: 0; padding: 0; border: 0; }
      .inside { display: grid; gap: .5rem; margin: .25rem 0 .5rem 1.6rem; }
      .choice:has(> label > input:not(:checked)) > .inside { display: none; }
      button {
        padding: .65rem 1rem; font: inherit; font-weight: 600; color: Canvas; background: var(--strong); border: 0;
        border-radius: .4rem; cursor: pointer; }
      button.plain { color: var(--strong); background: none; border: 1px solid var(--line); font-weight: 400; }
      summary { color: var(--strong); cursor: pointer; margin-bottom: .75rem; }
      .actions { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1.5rem; }
      .actions form { margin: 0; }
      .actions button { padding: .35rem .75rem; font-size: .9rem; }
      .message { padding: .6rem .8rem; border-left: .25rem solid var(--strong); }
      .error { border-color: var(--wrong); color: var(--wrong); }
      .hint, .record { opacity: .75; font-size: .85rem; }
      .record { margin: 1.5rem 0 0; }
      #number { font-size: 3rem; font-weight: 700; text-align: center; }
      .wait::before {
        content: ""; display: inline-block; width: .9em; height: .9em; margin-right: .6em; vertical-align: -.1em;
        border: .15em solid var(--line); border-top-color: var(--strong); border-radius: 50%;
        animation: turn 1s linear infinite; }
      @keyframes turn { to { rotate: 1turn; } }
      @media (prefers-reduced-motion: reduce) { .wait::before { animation: none; } }

      """)
}
