// The head of the page: what runs, how it is, and how much there is.

import { listen, state } from "./api.js";
import { count, duration, short } from "./format.js";
import { el, replace } from "./dom.js";

const byID = (id) => document.getElementById(id);

export const head = { summary: null, watchers: new Set() };

export function startHeader() {
  listen({
    summary: (s) => {
      notice("");
      show(s);
    },
    verdict: (v) => ended(v),
    unanswered: (u) => notice(`The program does not answer: ${u.error}`),
    lost: () => notice("The connection is lost. This page tries again."),
    end: () => {
      state.over = true;
      notice("The program has gone. This page shows what it was last.");
    },
  });
}

function show(s) {
  const changed = !head.summary || head.summary.control !== s.control;
  head.summary = s;
  document.title = `${s.program} – Selvage inspector`;
  byID("program").textContent = s.program;
  verdict(s.verdict);
  if (s.islands > 1) document.querySelector("#tabs [data-view=islands]").hidden = false; // also after their end
  replace(
    byID("counts"),
    figure("fibers", count(s.fibers), "alive"),
    figure("blocked", count(s.blocked), "wait for something"),
    figure("active", count(s.active), "runnable or running"),
    s.calls ? figure("native calls", count(s.calls), "in flight") : null,
    figure("transitions", short(s.rates.transitions) + "/s", `${count(s.transitions)} so far`),
    figure("spawned", short(s.rates.spawned) + "/s", `${count(s.spawned)} so far, ${count(s.ended)} ended, ${count(s.killed)} of them killed`),
    figure("clock", duration(s.now), "of the scheduler"),
  );
  if (s.verdict !== "running") ended(s);
  if (changed) for (const watch of head.watchers) watch(s);
}

function figure(name, value, hint) {
  return el("div", { title: hint }, el("dt", {}, name), el("dd", {}, value));
}

function verdict(text) {
  const pill = byID("verdict");
  if (pill.textContent !== text) pill.textContent = text;
  pill.className = `pill ${text}`;
}

function ended(v) {
  verdict(v.verdict);
  byID("why").hidden = !v.error;
  byID("whytext").textContent = v.error || "";
}

export function notice(text) {
  const box = byID("notice");
  if (box.textContent !== text) box.textContent = text;
  box.hidden = text === "";
}
