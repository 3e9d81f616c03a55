// A list of any length of which only the visible rows exist. Their data comes from the server, part by part.

import { el } from "./dom.js";

const rowHeight = 28; // as in style.css
const tallest = 8_000_000; // pixels: beyond that browsers lose exactness
const ahead = 10; // rows above and below the visible ones

// virtualList shows `total` rows. load(offset, limit) tells that other rows are needed, render(row, data, index) fills
// one in, open(data) is called for a chosen row.
export function virtualList({ load, render, open, label }) {
  const canvas = el("div", { class: "canvas", role: "presentation" });
  const box = el("div", { class: "rows", role: "listbox", tabindex: "0", "aria-label": label, "data-key": "rows" }, canvas);
  const rows = new Map(); // by index
  let total = 0;
  let data = { offset: 0, list: [] };
  let selected = 0;
  let asked = "";

  const visible = () => Math.ceil(box.clientHeight / rowHeight) + 1;
  const height = () => Math.min(total * rowHeight, tallest);
  const exact = () => total * rowHeight <= tallest;

  // first is the index of the row at the top.
  function first() {
    if (exact()) return Math.floor(box.scrollTop / rowHeight);
    const room = height() - box.clientHeight;
    const last = total - Math.floor(box.clientHeight / rowHeight);
    return Math.round((box.scrollTop / Math.max(1, room)) * last);
  }

  // top is where a row is on the canvas.
  function top(index) {
    return exact() ? index * rowHeight : box.scrollTop + (index - first()) * rowHeight;
  }

  function range() {
    const from = Math.max(0, first() - ahead);
    return { from, to: Math.min(total, first() + visible() + ahead) };
  }

  function draw() {
    canvas.style.height = `${height()}px`;
    const { from, to } = range();
    for (const [index, row] of rows) {
      if (index < from || index >= to) {
        row.remove();
        rows.delete(index);
      }
    }
    for (let index = from; index < to; index++) {
      let row = rows.get(index);
      if (!row) {
        row = el("div", { class: "row", role: "option", id: `row-${index}`, "aria-posinset": index + 1 });
        row.addEventListener("click", () => choose(index, true));
        rows.set(index, row);
        canvas.append(row);
      }
      row.style.transform = `translateY(${top(index)}px)`;
      row.setAttribute("aria-setsize", total);
      row.setAttribute("aria-selected", index === selected);
      render(row, data.list[index - data.offset], index);
    }
    if (total > 0) box.setAttribute("aria-activedescendant", `row-${selected}`);
    else box.removeAttribute("aria-activedescendant");
  }

  function need() {
    const { from, to } = range();
    const key = `${from}-${to}`;
    if (key !== asked || to - from > data.list.length) {
      asked = key;
      load(from, Math.max(1, Math.min(200, to - from)));
    }
  }

  function choose(index, alsoOpen) {
    if (total === 0) return;
    selected = Math.max(0, Math.min(total - 1, index));
    scrollTo(selected);
    draw();
    const chosen = data.list[selected - data.offset];
    if (alsoOpen && chosen) open(chosen);
  }

  function scrollTo(index) {
    const page = Math.floor(box.clientHeight / rowHeight);
    if (exact()) {
      if (index * rowHeight < box.scrollTop) box.scrollTop = index * rowHeight;
      else if ((index + 1) * rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = (index + 1) * rowHeight - box.clientHeight;
    } else if (index < first() || index >= first() + page) {
      box.scrollTop = (index / Math.max(1, total - page)) * (height() - box.clientHeight);
    }
  }

  box.addEventListener("scroll", () => {
    draw();
    need();
  });
  box.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(box.clientHeight / rowHeight) - 1);
    const to = {
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      PageDown: selected + page,
      PageUp: selected - page,
      Home: 0,
      End: total - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      choose(to, false);
    } else if (event.key === "Enter") {
      choose(selected, true);
    }
  });
  const resized = new ResizeObserver(() => {
    draw();
    need();
  });
  resized.observe(box);

  return {
    box,
    // wanted is the part of the list that is to be asked for now.
    wanted: () => {
      const { from, to } = range();
      return { offset: from, limit: Math.max(50, Math.min(200, to - from)) };
    },
    show: (offset, list, newTotal) => {
      total = newTotal;
      data = { offset, list };
      selected = Math.min(selected, Math.max(0, total - 1));
      draw();
    },
    reset: () => {
      selected = 0;
      box.scrollTop = 0;
    },
    stop: () => resized.disconnect(),
  };
}
