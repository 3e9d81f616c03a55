// Elements are made here only. Text from the program becomes text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

// element makes an element: el("a", {href: "#", class: "x", onclick: f}, "text", otherElement).
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// svg is el for the elements of a drawing.
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || (value === false && !name.startsWith("aria-"))) continue;
    if (name.startsWith("aria-")) node.setAttribute(name, String(value));
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== undefined && child !== null) node.append(child);
  }
  return node;
}

// replace gives a node new children. The focus stays at the element with the same data-key.
export function replace(node, ...children) {
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  node.replaceChildren(...children.flat().filter((c) => c !== undefined && c !== null));
  if (focused !== undefined) {
    node.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}
