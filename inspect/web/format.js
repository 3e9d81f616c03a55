// Numbers and times as people read them.

export function count(n) {
  return n.toLocaleString("en-US");
}

// short is a number in at most five characters: 950, 12.3k, 4.5M.
export function short(n) {
  if (n < 1000) return n < 10 && n !== Math.round(n) ? n.toFixed(1) : String(Math.round(n));
  const units = ["k", "M", "G", "T"];
  let at = -1;
  while (n >= 999.5 && at < units.length - 1) {
    n /= 1000;
    at++;
  }
  return (n < 99.95 ? n.toFixed(1) : n.toFixed(0)) + units[at];
}

// duration is a time in nanoseconds: 1.25 ms, 3.4 s, 2 min 5 s, 3 d 4 h.
export function duration(ns) {
  const sign = ns < 0 ? "−" : "";
  ns = Math.abs(ns);
  if (ns < 1e3) return `${sign}${Math.round(ns)} ns`;
  if (ns < 1e6) return `${sign}${trim(ns / 1e3)} µs`;
  if (ns < 1e9) return `${sign}${trim(ns / 1e6)} ms`;
  if (ns < 60e9) return `${sign}${trim(ns / 1e9)} s`;
  const seconds = Math.round(ns / 1e9);
  if (seconds < 3600) return `${sign}${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 86400) return `${sign}${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${sign}${count(Math.floor(seconds / 86400))} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

function trim(n) {
  return n < 10 ? n.toFixed(2) : n < 100 ? n.toFixed(1) : n.toFixed(0);
}

// until is how long a wait may still last.
export function until(deadline, now) {
  if (deadline === undefined) return "";
  return deadline <= now ? "now" : "in " + duration(deadline - now);
}

// title is how a fiber is called: its name, or its ID.
export function title(fiber) {
  return fiber.name ? `${fiber.id} “${fiber.name}”` : fiber.id;
}
