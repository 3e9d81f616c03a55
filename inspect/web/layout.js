// Where the nodes of a graph are. dagre (vendor/) does the work.

import dagre from "./vendor/dagre.esm.js";

// layout gives each node x, y, width and height, and each edge points.
export function layout(nodes, edges) {
  const g = new dagre.graphlib.Graph({ multigraph: true });
  g.setGraph({ rankdir: "LR", nodesep: 18, ranksep: 56, marginx: 16, marginy: 16 });
  g.setDefaultEdgeLabel(() => ({}));
  for (const n of nodes) g.setNode(n.id, { width: n.width, height: n.height });
  edges.forEach((e, i) => g.setEdge(e.from, e.to, {}, String(i)));
  dagre.layout(g);
  for (const n of nodes) Object.assign(n, g.node(n.id));
  edges.forEach((e, i) => (e.points = g.edge(e.from, e.to, String(i)).points));
  return { width: g.graph().width || 0, height: g.graph().height || 0 };
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
