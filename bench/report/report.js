// Draws the charts in the reader's theme, and makes the tables sortable and the misses filterable. Nothing is fetched.
"use strict";
(() => {
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = "auto";
  const dark = () => (chosen === "auto" ? system.matches : chosen === "dark");
  const specOf = (id) => JSON.parse(document.getElementById(id).textContent);

  const config = (isDark) => {
    const text = isDark ? "#e8eaed" : "#1c2024";
    const soft = isDark ? "#a8b0b8" : "#5a636d";
    const line = isDark ? "#3a424a" : "#d5dae0";
    return {
      background: "transparent",
      font: "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, sans-serif",
      title: { color: text, subtitleColor: soft, fontSize: 15 },
      axis: { labelColor: soft, titleColor: text, gridColor: line, domainColor: line, tickColor: line, labelFontSize: 12, titleFontSize: 12 },
      legend: { labelColor: text, titleColor: text, labelFontSize: 12 },
      view: { stroke: line },
    };
  };

  const draw = (light) => {
    const isDark = !light && dark();
    root.dataset.theme = isDark ? "dark" : "light";
    const jobs = [];
    for (const place of document.querySelectorAll(".chart")) {
      const spec = specOf(place.dataset.spec);
      if (place.clientWidth < 560) {
        for (const layer of spec.layer || []) {
          // Channels of one field share a legend, so all of them must ask for the same.
          for (const channel of Object.values(layer.encoding || {})) {
            if (channel.legend) { channel.legend.columns = 1; }
          }
        }
      }
      jobs.push(vegaEmbed(place, spec, {
        actions: false, renderer: "svg", config: config(isDark), tooltip: { theme: isDark ? "dark" : "light" },
      }).then(() => {
        // The figure's own label speaks for the drawing; its parts would be read out mark by mark.
        const drawing = place.querySelector("svg");
        if (drawing) { drawing.setAttribute("aria-hidden", "true"); }
      }));
    }
    return Promise.all(jobs).then(() => { root.dataset.ready = "yes"; });
  };

  for (const radio of document.querySelectorAll("input[name=moment]")) {
    radio.addEventListener("change", () => {
      for (const panel of document.querySelectorAll("[data-moment-panel]")) {
        panel.hidden = panel.dataset.momentPanel !== radio.value;
      }
      const place = document.getElementById("curve");
      place.dataset.spec = "spec-curve-" + radio.value;
      place.setAttribute("aria-label", radio.dataset.label);
      draw(false);
    });
  }

  const theme = document.getElementById("theme");
  theme.addEventListener("change", () => { chosen = theme.value; draw(false); });
  system.addEventListener("change", () => { if (chosen === "auto") { draw(false); } });
  let width = window.innerWidth;
  window.addEventListener("resize", () => { if (window.innerWidth !== width) { width = window.innerWidth; draw(false); } });
  window.addEventListener("beforeprint", () => {
    for (const more of document.querySelectorAll("details")) { more.open = true; }
    draw(true);
  });
  window.addEventListener("afterprint", () => draw(false));

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, at) => {
      head.querySelector("button").addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") === "descending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const body = table.tBodies[0];
        const key = (row) => row.cells[at].dataset.value ?? row.cells[at].textContent;
        const rows = [...body.rows].sort((a, b) => {
          const x = key(a), y = key(b);
          const order = x !== "" && y !== "" && !isNaN(x) && !isNaN(y) ? x - y : x.localeCompare(y);
          return up ? order : -order;
        });
        body.append(...rows);
      });
    });
  }

  const find = document.getElementById("find-note");
  if (find) {
    const rows = [...document.querySelectorAll("#notes-table tbody tr")];
    find.addEventListener("input", () => {
      const wanted = find.value.toLowerCase();
      for (const row of rows) { row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted); }
    });
  }

  const form = document.getElementById("miss-filter");
  if (form) {
    const items = [...document.querySelectorAll(".misses > li")];
    const count = document.getElementById("miss-count");
    const apply = () => {
      const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
      const zone = form.elements.zone.value, why = form.elements.why.value;
      let shown = 0;
      for (const item of items) {
        const text = [...item.querySelectorAll("dd")].map((part) => part.textContent).join(" ").toLowerCase();
        const fits = (!zone || item.dataset.zone === zone) && (!why || item.dataset.why === why) && words.every((word) => text.includes(word));
        item.hidden = !fits;
        shown += fits;
      }
      count.textContent = `${shown} of ${items.length} misses shown`;
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    apply();
  }

  draw(false);
})();
