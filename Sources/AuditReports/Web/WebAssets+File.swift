// The script of a file with all views. It uses only data that is in the page.

extension WebAssets {
  /// The script that is included in the file.
  static let fileScript = """
    "use strict";
    // One view at a time; without this script they follow one another.
    const log = document.title;
    const views = [...document.querySelectorAll("section.view")];
    function show(isMove) {
      const found = views.find((view) => view.id === location.hash.slice(1));
      if (!found && isMove) return;
      const view = found || views[0];
      for (const other of views) other.hidden = other !== view;
      document.title = view.querySelector("h1").textContent + " - " + log;
      for (const link of document.querySelectorAll("header nav a")) {
        if (link.hash.slice(1) === view.id) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
      if (!isMove) return;
      window.scrollTo(0, 0);
      view.focus({ preventScroll: true });
    }
    addEventListener("hashchange", () => show(true));
    show(false);
    // The slider shows the state that a revision left.
    for (const slider of document.querySelectorAll(".state input")) {
      const states = [...slider.closest("section").querySelectorAll(".states pre")];
      const output = slider.closest("label").querySelector("output");
      slider.closest(".state").hidden = false;
      slider.addEventListener("input", () => {
        output.textContent = slider.value;
        const from = states.findLast((state) => Number(state.dataset.from) <= Number(slider.value)) || states[0];
        for (const state of states) state.hidden = state !== from;
      });
    }
    // The form filters the flows that are listed. Times are compared by their beginnings: 2026-01-07, 2026-01-07 08:30.
    const form = document.getElementById("find");
    if (form) {
      form.hidden = false;
      const count = document.getElementById("count");
      const all = count.textContent;
      const rows = [...form.parentElement.querySelectorAll("tbody tr")].map((row) => {
        return { row, cells: [...row.cells].map((cell) => cell.textContent.toLowerCase()) };
      });
      const tests = {
        q: (cells, word) => cells.some((cell) => cell.includes(word)),
        user: (cells, word) => cells[2] === word,
        status: (cells, word) => cells[5] === word || cells[7] === word,
        kind: (cells, word) => cells[1] === word,
        since: (cells, word) => cells[3].slice(0, word.length) >= word,
        until: (cells, word) => cells[3].slice(0, word.length) <= word,
      };
      const filter = () => {
        const wanted = [...new FormData(form)].filter(([, word]) => word).map(([name, word]) => {
          const isTime = name === "since" || name === "until";
          const text = isTime ? word.replace(/[Tt]/, " ").replace(/[Zz]$/, "") : word;
          return [name, text.trim().toLowerCase()];
        });
        let shown = 0;
        for (const { row, cells } of rows) {
          row.hidden = !wanted.every(([name, word]) => tests[name](cells, word));
          if (!row.hidden) shown += 1;
        }
        count.textContent = wanted.length ? `${shown} of the ${rows.length} listed flows.` : all;
      };
      form.addEventListener("input", filter);
      form.addEventListener("submit", (event) => { event.preventDefault(); filter(); });
    }

    """
}
