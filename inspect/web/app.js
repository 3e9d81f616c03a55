// The page: which view is shown, and the keys that work everywhere.

import { startHeader } from "./header.js";
import { listView } from "./list.js";
import { fiberView } from "./fiber.js";
import { graphView } from "./graph.js";
import { islandsView } from "./islands.js";
import { timelineView } from "./timeline.js";

const views = { fibers: listView, fiber: fiberView, graph: graphView, timeline: timelineView, islands: islandsView };
let leave = () => {};

// The address behind # is the view, its subject, and its parameters: #/fiber/f1.1, #/graph?around=f1.1
function route() {
  const [path, query] = location.hash.replace(/^#\//, "").split("?");
  const [name, subject] = path.split("/");
  const show = views[name] || views.fibers;
  leave();
  const main = document.getElementById("view");
  main.replaceChildren();
  main.className = `view-${views[name] ? name : "fibers"}`;
  leave = show(main, new URLSearchParams(query || ""), decodeURIComponent(subject || "")) || (() => {});
  for (const tab of document.querySelectorAll("#tabs a")) {
    const here = tab.dataset.view === name || (tab.dataset.view === "fibers" && (name === "fiber" || !views[name]));
    if (here) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    const field = document.getElementById("search");
    if (field) field.focus();
    else location.hash = "#/fibers?focus=search";
  } else if (event.key === "Escape") {
    if (typing) event.target.blur();
    else if (!location.hash.startsWith("#/fibers")) history.length > 1 && !event.defaultPrevented ? history.back() : (location.hash = "#/fibers");
  }
});

window.addEventListener("hashchange", route);
startHeader();
route();
