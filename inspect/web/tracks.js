// The drawing of a timeline: an axis, and bars on tracks.

import { duration } from "./format.js";

export const trackHeight = 22; // as in style.css

// surface prepares a canvas for its size in pixels of the screen.
function surface(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, width * scale);
  canvas.height = Math.max(1, height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  return context;
}

// color is a color of style.css as a canvas understands it: for a light or a dark screen.
function color(canvas, name) {
  canvas.style.color = `var(--${name})`;
  return getComputedStyle(canvas).color;
}

// step is a round length of time that fits about n times into a period.
function step(period, n) {
  const rough = Math.max(1, period / n);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((k) => power * k >= rough);
}

// axis draws the times since the beginning of what is recorded.
export function axis(canvas, width, from, to, first) {
  const c = surface(canvas, width, trackHeight);
  c.font = "11px system-ui, sans-serif";
  c.fillStyle = color(canvas, "dim");
  c.strokeStyle = color(canvas, "line");
  const by = step(to - from, Math.max(2, width / 120));
  for (let t = Math.ceil((from - first) / by) * by; t + first <= to; t += by) {
    const x = Math.round(((t + first - from) / (to - from)) * width) + 0.5;
    c.beginPath();
    c.moveTo(x, 14);
    c.lineTo(x, trackHeight);
    c.stroke();
    c.fillText(t === 0 ? "0" : duration(t), x + 3, 12);
  }
}

// paint draws the slices of each track.
export function paint(canvas, width, tracks, from, to) {
  const c = surface(canvas, width, Math.max(trackHeight, tracks.length * trackHeight));
  const colors = Object.fromEntries(["running", "runnable", "queue", "timer", "io"].map((s) => [s, color(canvas, s)]));
  const x = (t) => ((t - from) / (to - from)) * width;
  const other = color(canvas, "dim");
  c.strokeStyle = color(canvas, "line");
  tracks.forEach((track, n) => {
    const y = n * trackHeight;
    c.beginPath();
    c.moveTo(0, y + trackHeight - 0.5);
    c.lineTo(width, y + trackHeight - 0.5);
    c.stroke();
    for (const s of track.slices) {
      const left = Math.max(0, x(s.from));
      const right = Math.min(width, x(s.to));
      if (right < 0 || left > width) continue;
      const thin = s.state !== "running" && s.state !== "runnable"; // it waits
      c.fillStyle = colors[s.state] || other;
      c.fillRect(left, y + (thin ? 9 : 4), Math.max(1, right - left), thin ? 4 : trackHeight - 8);
    }
  });
}
