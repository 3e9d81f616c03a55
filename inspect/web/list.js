// The list of all fibers: search, filters, order.

import { every, get } from "./api.js";
import { count, until } from "./format.js";
import { el, replace } from "./dom.js";
import { notice } from "./header.js";
import { virtualList } from "./virtual.js";

const columns = [
  ["id", "Fiber"],
  ["name", "Name"],
  ["state", "State"],
  ["waits", "Waits on"],
  ["deadline", "Until"],
  ["site", "Place"],
];

const remembered = { search: "", filter: "", sort: "id" };

export function listView(main, parameters) {
  for (const key of Object.keys(remembered)) {
    if (parameters.has(key)) remembered[key] = parameters.get(key);
  }
  const query = { ...remembered };
  let now = 0;
  const search = el("input", { id: "search", type: "search", placeholder: "Search ID, name or place  ( / )", "aria-label": "Search", value: query.search, autocomplete: "off", spellcheck: "false" });
  const filter = el("select", { id: "filter", "aria-label": "State" }, ...options(query.filter));
  const matched = el("span", { id: "matched", "aria-live": "polite" });
  const heads = el("div", { class: "heads" });
  const empty = el("p", { class: "empty", hidden: true }, "No fiber is like that.");
  const list = virtualList({
    label: "Fibers",
    load: () => refresh.now(),
    render: (row, fiber) => fillRow(row, fiber, now),
    open: (fiber) => (location.hash = `#/fiber/${fiber.id}`),
  });
  main.append(el("div", { class: "tools" }, search, filter, matched), heads, list.box, empty);
  drawHeads();

  // One request at a time; what is asked for meanwhile is asked for once more.
  let busy = false;
  let again = false;
  const refresh = every(1000, fetchPart);
  async function fetchPart() {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    const part = list.wanted();
    try {
      const [state, reason] = query.filter.split(":");
      const page = await get("fibers", { ...part, search: query.search, state, reason, sort: query.sort });
      now = page.now;
      list.show(page.offset, page.fibers, page.matched);
      matched.textContent = page.matched === page.total ? `${count(page.total)} fibers` : `${count(page.matched)} of ${count(page.total)} fibers`;
      empty.hidden = page.matched > 0;
    } catch (failure) {
      notice(`The list cannot be read: ${failure.message}`);
    }
    busy = false;
    if (again) {
      again = false;
      await fetchPart();
    }
  }

  function change(key, value) {
    query[key] = remembered[key] = value;
    list.reset();
    refresh.now();
  }
  search.addEventListener("input", () => change("search", search.value));
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && search.value) {
      search.value = "";
      change("search", "");
      event.stopPropagation();
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      list.box.focus();
    }
  });
  filter.addEventListener("change", () => change("filter", filter.value));

  function drawHeads() {
    const [by, down] = query.sort.startsWith("-") ? [query.sort.slice(1), true] : [query.sort, false];
    replace(
      heads,
      columns.map(([key, text]) => {
        const here = key === by;
        const sort = () => {
          change("sort", here && !down ? `-${key}` : key);
          drawHeads();
        };
        return el("button", { type: "button", "data-key": key, "aria-pressed": here, title: `Sort by ${text.toLowerCase()}`, onclick: sort }, text, el("span", { class: "arrow", "aria-label": here ? (down ? "descending" : "ascending") : "" }, here ? (down ? "▼" : "▲") : ""));
      }),
    );
  }

  if (parameters.get("focus") === "search") search.focus();
  else list.box.focus({ preventScroll: true });
  return () => {
    refresh.stop();
    list.stop();
  };
}

function options(chosen) {
  return [
    ["", "All states"],
    ["runnable", "Runnable"],
    ["running", "Running"],
    ["blocked", "Blocked"],
    ["blocked:queue", "Blocked: on an object"],
    ["blocked:timer", "Blocked: sleeping"],
    ["blocked:io", "Blocked: I/O"],
  ].map(([value, text]) => el("option", { value, selected: value === chosen }, text));
}

// fillRow shows a fiber, or a row that has not arrived.
function fillRow(row, fiber, now) {
  const text = fiber ? JSON.stringify(fiber) + now : "";
  if (row.dataset.shown === text && row.childNodes.length > 0) return;
  row.dataset.shown = text;
  row.classList.toggle("moved", Boolean(fiber?.moved));
  row.title = fiber?.moved ? "It has run since the snapshot: name and place are newer than the rest." : "";
  if (!fiber) {
    row.replaceChildren(el("span", {}, "…"));
    return;
  }
  const waits = fiber.call ? `native call ${fiber.call}` : fiber.waits.join(", ");
  row.replaceChildren(
    el("span", { class: "id" }, fiber.id),
    el("span", {}, fiber.name || ""),
    el("span", { class: "state" }, badge(fiber)),
    el("span", { title: waits }, waits),
    el("span", {}, until(fiber.deadline, now)),
    el("span", { class: "site", title: fiber.site || "" }, fiber.site || ""),
  );
}

// badge is the state of a fiber in a word and a color.
export function badge(fiber) {
  const kind = fiber.paused ? "paused" : fiber.reason || fiber.state;
  const word = { queue: "blocked", timer: "sleeping", io: "I/O" }[kind] || kind;
  return el("span", { class: `badge ${kind}` }, word + (fiber.external ? " ⇠" : ""));
}
