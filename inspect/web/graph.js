// The wait-for graph: which fiber waits for which object, and which fiber could end that. The deadlock cycle is red.

import { every, get } from "./api.js";
import { count, title } from "./format.js";
import { el, replace, svg } from "./dom.js";
import { layout, path } from "./layout.js";
import { notice } from "./header.js";
import { panZoom } from "./panzoom.js";

export function graphView(main, parameters) {
  const around = parameters.get("around") || "";
  const text = el("p", { id: "graphtext", "aria-live": "polite" });
  const drawing = svg("svg", { class: "graph", role: "group", "aria-label": "Wait-for graph" });
  const fit = el("button", { type: "button", onclick: () => zoom.fit() }, "Fit");
  const tools = el("div", { class: "tools" }, text, legend(), around ? el("a", { href: "#/graph" }, "Whole graph") : null, fit);
  main.append(tools, drawing);
  const zoom = panZoom(drawing);
  let shown = "";

  const refresh = every(2000, async () => {
    try {
      const graph = await get("graph", { around });
      const key = JSON.stringify([graph.nodes, graph.edges]);
      text.textContent = describe(graph, around);
      if (key !== shown) draw(graph);
      shown = key;
    } catch (failure) {
      notice(`The graph cannot be read: ${failure.message}`);
    }
  });

  function draw(graph) {
    const nodes = graph.nodes.map(measured);
    const size = layout(nodes, graph.edges, drawing.getBoundingClientRect());
    const content = svg("g", {}, graph.edges.map(edge), nodes.map((n) => drawNode(n, around)));
    replace(drawing, markers(), content);
    zoom.content(content, size);
  }
  return refresh.stop;
}

function legend() {
  const entry = (kind, name) => el("span", { class: kind }, el("i"), name);
  return el("div", { class: "legend" }, entry("waits", "waits for"), entry("held", "could be ended by"), entry("cycle", "cycle"));
}

function describe(graph, around) {
  const parts = [];
  if (graph.cycle.length) parts.push(`A cycle of ${count(graph.cycle.length)}: ${chain(graph.cycle)}.`);
  else if (graph.stuck.length) parts.push(`${count(graph.stuck.flat().length)} fibers can only be woken by each other.`);
  if (graph.nodes.length === 0) parts.push(around ? `${around} has ended.` : "No fiber waits on an object.");
  else if (graph.partial) parts.push(around ? "A part of what is connected." : `A part: ${count(graph.blocked)} fibers wait on something.`);
  else parts.push(around ? `All that is connected to ${around}.` : `${count(graph.blocked)} fibers wait on something.`);
  return parts.join(" ");
}

// chain is a cycle as text, shortened if it is long.
function chain(cycle) {
  const shown = cycle.length > 12 ? [...cycle.slice(0, 11), "…"] : cycle;
  return [...shown, cycle[0]].join(" → ");
}

// measured gives a node its lines of text and its size.
function measured(node) {
  const lines = node.kind === "object" ? split(node.name) : [title(node), place(node)];
  const widest = Math.max(...lines.map((l) => l.length), 4);
  return { ...node, lines, width: Math.min(260, widest * 7 + 26), height: 20 + 16 * lines.length };
}

function place(node) {
  const site = node.site || "";
  const file = site.slice(site.lastIndexOf("/") + 1);
  return file || node.state;
}

// split is the description of an object in two lines: what it is, and how it is.
function split(name) {
  const at = name.indexOf(" (");
  const lines = at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
  return lines.map(clip);
}

function clip(line) {
  return line.length > 34 ? `${line.slice(0, 33)}…` : line;
}

function drawNode(node, around) {
  const kinds = ["node", node.kind, node.reason || node.state || ""];
  if (node.cycle) kinds.push("cycle");
  if (node.stuck) kinds.push("stuck");
  if (node.id === around) kinds.push("center");
  const box = svg("rect", { x: node.x - node.width / 2, y: node.y - node.height / 2, width: node.width, height: node.height, rx: node.kind === "object" ? node.height / 2 : 6 });
  const start = node.y - ((node.lines.length - 1) * 16) / 2 + 4;
  const texts = node.lines.map((line, i) => svg("text", { x: node.x, y: start + 16 * i, class: i ? "second" : "first" }, clip(line)));
  const hint = svg("title", {}, node.kind === "object" ? `${node.name}, ${count(node.waiters || 0)} waiting` : `${title(node)} ${node.state} ${node.site || ""}`);
  if (node.kind === "object") return svg("g", { class: kinds.join(" "), "data-id": node.id }, hint, box, texts);
  return svg("a", { href: `#/fiber/${node.id}`, class: kinds.join(" "), "data-id": node.id, "data-key": node.id }, hint, box, texts);
}

function edge(e) {
  const kind = e.cycle ? "cycle" : e.kind;
  return svg("path", { class: `edge ${e.kind}${e.cycle ? " cycle" : ""}`, d: path(e.points), "marker-end": `url(#arrow-${kind})`, "data-edge": `${e.from} ${e.to}` });
}

function markers() {
  return svg(
    "defs",
    {},
    ["waits", "held", "call", "cycle"].map((kind) =>
      svg("marker", { id: `arrow-${kind}`, class: `arrow ${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, svg("path", { d: "M0,0L8,4L0,8z" })),
    ),
  );
}
