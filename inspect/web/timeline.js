// What fibers did, over time: a track for each fiber, to be zoomed and moved.

import { every, get } from "./api.js";
import { duration, title } from "./format.js";
import { el, replace } from "./dom.js";
import { notice } from "./header.js";
import { axis, paint, trackHeight } from "./tracks.js";

function legend() {
  const states = { running: "running", runnable: "runnable", queue: "on an object", timer: "sleeping", io: "I/O" };
  return el("div", { class: "legend" }, Object.entries(states).map(([state, name]) => el("span", { class: `bar ${state}` }, el("i"), name)));
}

const limit = 10000; // slices that are drawn at most

export function timelineView(main) {
  const text = el("p", { id: "timelinetext", "aria-live": "polite" });
  const names = el("div", { class: "names" });
  const canvas = el("canvas", { tabindex: "0", "aria-label": "Timeline; arrow keys move it, + and - zoom, 0 shows all" });
  const ruler = el("canvas", { class: "ruler", "aria-hidden": "true" });
  const button = (name, hint, f) => el("button", { type: "button", title: hint, onclick: f }, name);
  const tools = el("div", { class: "tools" }, text, legend(), button("−", "Show more time", () => zoom(1.6)), button("+", "Show less time", () => zoom(1 / 1.6)), button("All", "Show all that is recorded", () => follow()));
  const body = el("div", { class: "tracks" }, names, canvas);
  main.append(tools, el("div", { class: "rulerrow" }, el("div", { class: "names" }), ruler), body);

  let data = null; // the last answer
  let span = null; // what is shown: [from, to]; null shows all and follows
  let wanted = 0; // the number of the latest request

  const refresh = every(1000, read);
  async function read() {
    const mine = ++wanted;
    try {
      const asked = span ? { from: Math.max(0, Math.floor(span[0])), to: Math.ceil(span[1]), limit } : { limit };
      const answer = await get("timeline", asked);
      if (mine !== wanted) return;
      data = answer;
      draw();
    } catch (failure) {
      notice(`The timeline cannot be read: ${failure.message}`);
    }
  }

  function draw() {
    if (!data) return;
    for (const part of [body, ruler.parentElement, ...tools.querySelectorAll("button, .legend")]) part.hidden = !data.available;
    if (!data.available) {
      text.textContent = "Nothing records what fibers did, so there is no timeline.";
      return;
    }
    const [from, to] = range();
    const events = data.tracks.length === 0 ? "nothing happened" : data.tracks.length === 1 ? "1 fiber" : `${data.tracks.length} fibers`;
    text.textContent = `${duration(to - from)} shown, of ${duration(data.last - data.first)} recorded: ${events}${data.partial ? "; only the latest part, zoom in to see all" : ""}`;
    replace(names, data.tracks.map((t) => el("a", { href: `#/fiber/${t.id}`, title: title(t), "data-key": t.id }, title(t))));
    const width = Math.max(100, body.clientWidth - names.clientWidth - 32); // without the padding of style.css
    axis(ruler, width, from, to, data.first);
    paint(canvas, width, data.tracks, from, to);
  }

  const range = () => span || [data.first, Math.max(data.last, data.first + 1)];

  // show moves the shown time, within what is recorded.
  function show(from, to) {
    if (!data) return;
    const whole = Math.max(1, data.last - data.first);
    const length = Math.max(100, Math.min(whole, to - from));
    from = Math.max(data.first, Math.min(from, data.last - length));
    span = length >= whole ? null : [from, from + length];
    draw();
    refresh.now();
  }

  function zoom(factor, at = 0.5) {
    if (!data) return;
    const [from, to] = range();
    const fixed = from + (to - from) * at;
    show(fixed - (fixed - from) * factor, fixed + (to - fixed) * factor);
  }

  function move(part) {
    if (!data) return;
    const [from, to] = range();
    const by = (to - from) * part;
    show(from + by, to + by);
  }

  function follow() {
    span = null;
    refresh.now();
  }

  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.shiftKey && body.scrollHeight > body.clientHeight && Math.abs(event.deltaX) < Math.abs(event.deltaY)) return; // scrolls the tracks
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(event.deltaX / canvas.clientWidth);
      else zoom(Math.exp(event.deltaY / 300), event.offsetX / canvas.clientWidth);
    },
    { passive: false },
  );
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    const drag = (e) => move(-e.movementX / canvas.clientWidth);
    canvas.addEventListener("pointermove", drag);
    canvas.addEventListener("pointerup", () => canvas.removeEventListener("pointermove", drag), { once: true });
  });
  canvas.addEventListener("dblclick", (event) => {
    const track = data?.tracks[Math.floor(event.offsetY / trackHeight)];
    if (track) location.hash = `#/fiber/${track.id}`;
  });
  canvas.addEventListener("keydown", (event) => {
    const act = { ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), "+": () => zoom(1 / 1.6), "-": () => zoom(1.6), 0: follow }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
  const resized = new ResizeObserver(draw);
  resized.observe(main);
  return () => {
    refresh.stop();
    resized.disconnect();
  };
}
