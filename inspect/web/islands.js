// The islands of the program, and the ports between them: a table of each.

import { every, get } from "./api.js";
import { count } from "./format.js";
import { el, replace } from "./dom.js";
import { notice } from "./header.js";

const partColumns = ["Island", "Ready", "Blocked", "Moved in", "Moved out", "Transitions"];
const portColumns = ["Port", "Capacity", "Values", "From → to", "Waiting"];

export function islandsView(main) {
  const text = el("p", { id: "islandstext", "aria-live": "polite" });
  const parts = el("tbody", { id: "parts" });
  const ports = el("tbody", { id: "ports" });
  const tables = el("div", { class: "tables", tabindex: "0", role: "region", "aria-label": "Islands and ports" }, table("Islands", partColumns, parts), table("Ports", portColumns, ports));
  main.append(el("div", { class: "tools" }, text), tables);
  let last = 0; // how many islands are shown

  const refresh = every(1000, async () => {
    try {
      const set = await get("islands");
      if (set.parts.length === 0) {
        text.textContent = last > 0 ? "The islands have ended. This is what they were last." : "There are no islands: the program has made none, or they have ended with it.";
        tables.hidden = last === 0;
        return;
      }
      last = set.parts.length;
      tables.hidden = false;
      const left = set.left ? ` ${count(set.left)} islands, ports and waits are not shown.` : "";
      text.textContent = `${count(last)} islands, ${count(set.ports.length)} ports.${left}`;
      const waits = Map.groupBy(set.waits, (w) => w.port);
      replace(parts, set.parts.map(partRow));
      replace(ports, set.ports.map((port, at) => portRow(set, port, waits.get(at) ?? [])));
    } catch (failure) {
      notice(`The islands cannot be read: ${failure.message}`);
    }
  });
  return refresh.stop;
}

function table(caption, columns, body) {
  const heads = columns.map((name) => el("th", { scope: "col" }, name));
  return el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads)), body);
}

function partRow(part) {
  const name = el("th", { scope: "row" }, part.name);
  if (part.missing) return el("tr", { class: "missing" }, name, el("td", { colspan: partColumns.length - 1 }, `no answer: ${part.missing}`));
  const numbers = [part.ready, part.blocked, part.moved_in, part.moved_out, part.transitions];
  return el("tr", {}, name, numbers.map((n) => el("td", {}, count(n))));
}

function portRow(set, port, waiting) {
  const waits = waiting.map((w) => `${set.parts[w.part].name}: ${count(w.fibers)} for ${w.for}`);
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, port.name),
    el("td", {}, count(port.capacity)),
    el("td", {}, count(port.values)),
    el("td", { class: "words" }, `${senders(set, port)} → ${set.parts[port.part].name}`),
    el("td", { class: "words" }, waits.join(", ")),
  );
}

// senders are the islands that a port gets values from, each once.
function senders(set, port) {
  const names = port.senders.map((s) => (s.part === undefined ? "outside" : set.parts[s.part].name));
  return [...new Set(names)].join(", ") || "none";
}
