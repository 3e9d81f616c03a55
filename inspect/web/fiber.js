// The page of one fiber: where it is, what it waits for, and what it did.

import { act, every, get } from "./api.js";
import { count, duration, title, until } from "./format.js";
import { el, replace } from "./dom.js";
import { head, notice } from "./header.js";
import { badge } from "./list.js";

export function fiberView(main, _, id) {
  const top = el("div", { class: "fibertop" });
  const left = el("div", { class: "column" });
  const right = el("div", { class: "column" });
  main.append(top, el("div", { class: "columns" }, left, right));
  let shown = "";
  let gone = false;

  const refresh = every(1000, async () => {
    if (gone) return;
    try {
      const fiber = await get(`fibers/${encodeURIComponent(id)}`);
      const text = JSON.stringify({ ...fiber, transitions: 0, read_at: 0, control: canControl() });
      gone = fiber.state === "dead";
      if (gone) drawGone(fiber);
      else if (text !== shown) draw(fiber);
      shown = text;
    } catch (failure) {
      notice(`The fiber cannot be read: ${failure.message}`);
    }
  });

  function draw(fiber) {
    replace(top, heading(fiber), buttons(fiber, act1));
    replace(left, section("Stack", stack(fiber)));
    replace(right, section("State", facts(fiber)), section("Waits on", waits(fiber)), section("Waited for by", waiters(fiber)), section("History", history(fiber.history)));
  }

  function drawGone(fiber) {
    replace(top, el("h1", {}, el("span", { class: "id" }, id), " ", el("span", { class: "badge gone" }, "ended")));
    replace(left, el("p", { class: "empty" }, "This fiber has ended."));
    replace(right, fiber.history.length ? section("History", history(fiber.history)) : null);
  }

  async function act1(action) {
    try {
      await act(id, action);
      notice("");
    } catch (failure) {
      notice(`The fiber was not changed: ${failure.message}`);
    }
    shown = "";
    refresh.now();
  }

  head.watchers.add(refresh.now);
  return () => {
    head.watchers.delete(refresh.now);
    refresh.stop();
  };
}

function canControl() {
  return Boolean(head.summary?.control && head.summary.verdict === "running");
}

function heading(fiber) {
  return el("h1", {}, el("span", { class: "id" }, fiber.id), " ", fiber.name || "", " ", badge(fiber));
}

function buttons(fiber, act1) {
  if (!canControl()) return null;
  const button = (action, text, hint) => el("button", { type: "button", "data-key": action, class: action, title: hint, onclick: () => act1(action) }, text);
  return el(
    "div",
    { class: "buttons", role: "group", "aria-label": "Control" },
    fiber.paused ? button("resume", "Resume", "Let it run on") : button("pause", "Pause", "Let it run no more until it is resumed"),
    button("cancel", "Cancel", "Ask it to unwind: its wait ends with a cancellation"),
    button("kill", "Kill", "End it without running its code"),
  );
}

function section(name, content) {
  return el("section", {}, el("h2", {}, name), content);
}

function facts(fiber) {
  const pair = (name, value) => (value ? [el("dt", {}, name), el("dd", {}, value)] : []);
  return el(
    "dl",
    { class: "facts" },
    pair("state", fiber.reason ? `${fiber.state} (${fiber.reason})` : fiber.state),
    pair("wakes", fiber.deadline === undefined ? "" : `${until(fiber.deadline, fiber.now)} (at ${duration(fiber.deadline)})`),
    pair("place", fiber.site),
    pair("steps", fiber.steps === undefined ? "" : count(fiber.steps)),
    pair("from outside", fiber.external ? "something outside the program can wake it" : ""),
    pair("paused", fiber.paused ? "it runs no more until it is resumed" : ""),
    pair("moved", fiber.moved ? "it has run since the snapshot" : ""),
    pair("graph", el("a", { href: `#/graph?around=${fiber.id}`, "data-key": "graph" }, "show what it is connected to")),
  );
}

function link(peer) {
  return el("a", { href: `#/fiber/${peer.id}`, "data-key": `fiber-${peer.id}` }, title(peer));
}

function waits(fiber) {
  if (fiber.call) return el("p", {}, "its native call ", link({ id: fiber.call }));
  if (fiber.on.length === 0) return el("p", { class: "none" }, fiber.reason === "timer" ? "time" : "nothing");
  return el(
    "ul",
    {},
    fiber.on.map((o) => el("li", {}, o.object, el("div", { class: "holders" }, o.holders.length ? ["could be woken by ", ...joined(o.holders)] : "could be woken by any fiber"))),
  );
}

function joined(peers) {
  return peers.flatMap((p, i) => (i ? [", ", link(p)] : [link(p)]));
}

function waiters(fiber) {
  if (fiber.waiters.length === 0) return el("p", { class: "none" }, "no fiber, as far as is known");
  return el("ul", {}, fiber.waiters.map((w) => el("li", {}, link(w), w.object ? el("div", { class: "holders" }, `on ${w.object}`) : null)));
}

function stack(fiber) {
  if (fiber.stack.length === 0) return el("p", { class: "none" }, "Its stack is not known.");
  return el("ol", { class: "stack" }, fiber.stack.map(frame));
}

function frame(call) {
  const place = call.file ? `${call.file}${call.line ? ":" + call.line : ""}` : "";
  return el(
    "li",
    {},
    el("div", { class: "call" }, el("span", { class: "function" }, call.function || "(code)"), el("span", { class: "site" }, place)),
    call.source ? source(call) : null,
    call.locals?.length ? el("table", { class: "locals" }, el("tbody", {}, call.locals.map((v) => el("tr", {}, el("th", { scope: "row" }, v.name), el("td", {}, v.value))))) : null,
  );
}

function source(call) {
  return el(
    "pre",
    { class: "source" },
    call.source.lines.map((line, i) => {
      const number = call.source.first + i;
      return el("code", { class: number === call.line ? "here" : null, "data-line": number }, line || " ");
    }),
  );
}

function history(events) {
  if (!events || events.length === 0) return el("p", { class: "none" }, head.summary?.history ? "nothing recorded" : "nothing records it");
  const last = events[events.length - 1].at;
  return el(
    "ol",
    { class: "history" },
    [...events].reverse().map((e) => el("li", {}, el("span", { class: "at", title: `transition ${count(e.transition)}` }, e.at === last ? duration(e.at) : `−${duration(last - e.at)}`), el("span", { class: "what" }, e.what), el("span", {}, e.text || ""))),
  );
}
