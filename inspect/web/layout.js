// Where the nodes of a graph are. dagre (vendor/) does the work.

import dagre from "./vendor/dagre.esm.js";

// layout gives each node x, y, width and height, and each edge points, in the direction that fills the drawing
// better: from left to right, or from top to bottom.
export function layout(nodes, edges, drawing) {
  if (nodes.length === 0) return { width: 1, height: 1 };
  const across = arrange(nodes, edges, "LR");
  const scale = (g) => Math.min(1, drawing.width / g.width, drawing.height / g.height);
  let best = across;
  if (scale(across) < 0.9 && nodes.length <= 200) {
    const down = arrange(nodes, edges, "TB");
    if (scale(down) > scale(across)) best = down;
  }
  nodes.forEach((n, i) => Object.assign(n, best.places[i]));
  edges.forEach((e, i) => (e.points = best.lines[i]));
  return best;
}

function arrange(nodes, edges, rankdir) {
  const g = new dagre.graphlib.Graph({ multigraph: true });
  g.setGraph({ rankdir, nodesep: 18, ranksep: rankdir === "LR" ? 56 : 40, marginx: 16, marginy: 16 });
  g.setDefaultEdgeLabel(() => ({}));
  for (const n of nodes) g.setNode(n.id, { width: n.width, height: n.height });
  edges.forEach((e, i) => g.setEdge(e.from, e.to, {}, String(i)));
  dagre.layout(g);
  const place = ({ x, y }) => ({ x, y });
  return {
    places: nodes.map((n) => place(g.node(n.id))),
    lines: edges.map((e, i) => g.edge(e.from, e.to, String(i)).points),
    width: g.graph().width || 1,
    height: g.graph().height || 1,
  };
}

// path is a smooth line through points.
export function path(points) {
  const p = points.map(({ x, y }) => [x.toFixed(1), y.toFixed(1)]);
  if (p.length < 3) return `M${p.map((q) => q.join(",")).join("L")}`;
  let d = `M${p[0].join(",")}`;
  for (let i = 1; i < p.length - 1; i++) {
    const [a, b] = [points[i], points[i + 1]];
    const end = i === p.length - 2 ? b : { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    d += `Q${p[i].join(",")} ${end.x.toFixed(1)},${end.y.toFixed(1)}`;
  }
  return d;
}
