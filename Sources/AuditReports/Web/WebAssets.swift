// The style and script of the pages. They are separate files, so that the pages' content security policy needs no
// exception.

/// The resources that the pages load.
package enum WebAssets {
  /// `app.css`
  package static let style = """
    :root {
      color-scheme: light dark;
      --ground: #fff; --ink: #1b1f24; --soft: #59636e; --line: #d1d9e0; --panel: #f6f8fa; --link: #0550ae;
      --good: #116329; --bad: #a40e26; --left: #7d4e00; --open: #0550ae;
    }
    @media screen and (prefers-color-scheme: dark) {
      :root {
        --ground: #0d1117; --ink: #e6edf3; --soft: #9da7b1; --line: #3d444d; --panel: #161b22; --link: #79b8ff;
        --good: #56d364; --bad: #ff8182; --left: #e3b341; --open: #79b8ff;
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
    a { color: var(--link); }
    a:focus-visible, button:focus-visible, input:focus-visible, [tabindex]:focus-visible, summary:focus-visible {
      outline: 3px solid var(--link); outline-offset: 2px;
    }
    main:focus, .view:focus { outline: none; }
    .skip { position: absolute; left: -100vw; }
    .skip:focus { left: 0; background: var(--ground); padding: .5rem; z-index: 1; }
    header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: baseline; padding: .75rem 1rem;
      background: var(--panel); border-bottom: 1px solid var(--line); }
    header p { margin: 0; }
    .log { font-weight: 600; overflow-wrap: anywhere; }
    nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
    nav a { padding: .25rem 0; }
    nav a[aria-current] { color: var(--ink); font-weight: 600; }
    main { max-width: 80rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
    h1 { font-size: 1.5rem; margin: .5rem 0 1rem; overflow-wrap: anywhere; }
    h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
    .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: .75rem; padding: 0;
      list-style: none; }
    .tiles li { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem;
      color: var(--soft); }
    .tiles b { display: block; font-size: 1.5rem; color: var(--ink); font-variant-numeric: tabular-nums; }
    figure { margin: 1.5rem 0; }
    figcaption { color: var(--soft); font-size: .875rem; }
    .chart { display: block; width: 100%; height: auto; max-height: 14rem; }
    .chart .axis { stroke: var(--soft); }
    rect.good, .swatch.good { fill: var(--good); background: var(--good); }
    rect.bad, .swatch.bad { fill: var(--bad); background: var(--bad); }
    rect.left, .swatch.left { fill: var(--left); background: var(--left); }
    rect.open, .swatch.open { fill: var(--open); background: var(--open); }
    .spark { display: block; width: 100%; height: 3rem; }
    .spark polyline { fill: none; stroke: var(--link); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
    .strip { display: block; width: 100%; height: 3.5rem; }
    .strip line { stroke: var(--ink); vector-effect: non-scaling-stroke; }
    .strip .event { stroke: var(--bad); stroke-width: 2; }
    .bars { display: block; width: 100%; max-width: 51.25rem; height: auto; font-size: 14px; }
    .bars text { fill: currentColor; }
    .bars .bar { fill: var(--link); }
    .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: .5rem 0; list-style: none; }
    .swatch { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
    caption { text-align: left; font-weight: 600; padding-bottom: .25rem; }
    th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line);
      font-weight: 400; overflow-wrap: break-word; }
    .number + :not(.number) { padding-left: .5rem; }
    .whole { white-space: nowrap; }
    .long { display: inline-block; min-width: 5rem; overflow-wrap: anywhere; }
    a .long { text-decoration: underline; }
    thead th { color: var(--soft); border-top: 0; }
    td:last-child { min-width: 6rem; }
    table.many { font-size: .875rem; }
    .many caption { font-size: 1rem; }
    table.crowded { font-size: .8125rem; }
    .crowded th, .crowded td { min-width: 3rem; padding-right: .375rem; }
    .number { white-space: nowrap; text-align: right; font-variant-numeric: tabular-nums; }
    .outcome { border: 1px solid; border-radius: 1rem; padding: 0 .5rem; white-space: nowrap; }
    .good { color: var(--good); }
    .bad { color: var(--bad); }
    .left, .notice { color: var(--left); }
    .open { color: var(--open); }
    .quiet { color: var(--soft); }
    dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .5rem 1.5rem; margin: 1rem 0; }
    dt { color: var(--soft); font-size: .875rem; }
    dd { margin: 0; overflow-wrap: anywhere; }
    code, pre { font: .875rem/1.45 ui-monospace, monospace; }
    code { overflow-wrap: anywhere; }
    pre { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; margin: .5rem 0;
      max-height: 28rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
    ol { padding-left: 1.5rem; }
    form.filter { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .75rem; align-items: end; }
    form.filter label { display: block; color: var(--soft); font-size: .875rem; }
    form.filter input { width: 100%; }
    input, button { font: inherit; color: var(--ink); background: var(--ground); border: 1px solid var(--soft);
      border-radius: .375rem; padding: .35rem .6rem; }
    button { background: var(--panel); cursor: pointer; }
    .state { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
    .state input[type=range] { flex: 1 1 12rem; min-width: 0; padding: 0; }
    .pager { margin: 1rem 0; }
    .hint { display: none; color: var(--soft); font-size: .875rem; }
    .live { color: var(--soft); }
    .sequence { display: block; font-size: 12px; }
    .sequence text { fill: currentColor; paint-order: stroke; stroke: var(--ground); stroke-width: 4px; }
    .sequence .head { font-weight: 600; font-size: 14px; }
    .sequence .lane { stroke: var(--line); }
    .sequence g line { stroke: currentColor; stroke-width: 1.5; }
    .sequence circle { fill: currentColor; }
    .sequence .tip { fill: currentColor; }
    @media (max-width: 40rem) {
      .drawn { display: none; }
      table, caption, tbody, tr, tbody th, td { display: block; }
      thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      .hint { display: block; }
      .whole { white-space: normal; }
      tr { border-top: 1px solid var(--line); padding: .5rem 0; }
      tbody th, tbody td, .number + :not(.number) { display: flow-root; border: 0; padding: .1rem 0 .1rem 7rem;
        overflow-wrap: anywhere; }
      tbody .number { text-align: left; white-space: normal; }
      table.many, table.crowded { font-size: 1rem; }
      tbody th::before, tbody td::before { content: attr(data-label); color: var(--soft); float: left; width: 6.75rem;
        margin-left: -7rem; }
    }
    @media print {
      :root { color-scheme: light; }
      header nav, form.filter, form.check, .state input, .state button, .live, .hint, .skip { display: none; }
      .swatch { print-color-adjust: exact; }
      .wide { overflow: visible; }
      .sequence { width: 100%; height: auto; }
      pre { max-height: none; }
      h2, caption, thead { break-after: avoid; }
      tr, .chart, .bars { break-inside: avoid; }
      table, table.many, table.crowded { font-size: .75rem; }
      .many th, .many td { min-width: 0; padding-right: .25rem; font-size: .625rem; }
      td code { font-size: inherit; }
    }

    """

  /// `app.js`
  package static let script = """
    "use strict";
    // The slider shows the state at a revision without loading the page again.
    const slider = document.getElementById("at");
    if (slider) {
      const state = document.getElementById("state");
      const revision = document.getElementById("revision");
      let wanted = 0;
      slider.form.querySelector("button").hidden = true;
      slider.addEventListener("input", async () => {
        revision.textContent = slider.value;
        const mine = ++wanted;
        const query = new URLSearchParams({ id: slider.form.elements.id.value, at: slider.value });
        const answer = await fetch("/state?" + query);
        const text = await answer.text();
        if (mine === wanted && answer.ok) state.textContent = text;
      });
    }
    // The log as it grows.
    const follow = document.getElementById("follow");
    if (follow) {
      const news = document.getElementById("news");
      let source = null;
      let timer = null;
      // What comes after this is made anew. A form stays, because a person may be filling it in.
      const anchor = (page) => page.querySelector("main > form.filter") || page.querySelector("main > .live");
      const mark = (element) => element.getAttribute("href") || element.getAttribute("aria-label");
      async function refresh() {
        timer = null;
        const answer = await fetch(location.href);
        const found = anchor(new DOMParser().parseFromString(await answer.text(), "text/html"));
        if (!answer.ok || !found) {
          news.textContent = "The page cannot be made anew. Load it again.";
          return;
        }
        const old = anchor(document);
        const main = old.parentNode;
        const used = document.activeElement;
        while (old.nextSibling) old.nextSibling.remove();
        while (found.nextSibling) main.append(found.nextSibling);
        if (used && !used.isConnected) {
          const same = [...main.querySelectorAll("a, [tabindex]")].find((one) => mark(one) === mark(used));
          if (same) same.focus({ preventScroll: true });
        }
        news.textContent = "Up to date.";
      }
      function begin() {
        source = new EventSource("/events");
        source.addEventListener("records", () => {
          news.textContent = "New records.";
          if (!timer) timer = setTimeout(refresh, 1000);
        });
        source.onerror = () => { news.textContent = "The server does not answer."; };
        source.onopen = () => { news.textContent = "Following."; };
      }
      follow.addEventListener("change", () => {
        if (follow.checked) { begin(); } else { source.close(); news.textContent = ""; }
      });
      // A browser may bring a page back as it was left.
      if (follow.checked) begin();
    }

    """
}
