// Requests to the server. All addresses are relative, so that the page also works below a path.

export const state = { over: false };

export class Failure extends Error {
  constructor(text, status, body) {
    super(text);
    this.status = status;
    this.body = body;
  }
}

// get asks for JSON; parameters that are empty are left out.
export async function get(path, parameters = {}, signal) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "" && value !== undefined && value !== null) query.set(name, value);
  }
  const text = query.toString();
  return answer(await fetch(`api/v1/${path}${text ? "?" + text : ""}`, { signal }));
}

// act cancels, kills, pauses or resumes a fiber.
export async function act(id, action) {
  return answer(
    await fetch(`api/v1/fibers/${encodeURIComponent(id)}/${action}`, {
      method: "POST",
      headers: { "X-Selvage-Inspect": "1" },
    }),
  );
}

async function answer(response) {
  let body = {};
  try {
    body = await response.json();
  } catch {
    // The status says it.
  }
  if (!response.ok) throw new Failure(body.error || `status ${response.status}`, response.status, body);
  return body;
}

// listen receives events while the page is visible: a hidden one must not take a connection.
export function listen(handlers) {
  let source = null;
  const open = () => {
    if (source || state.over || document.hidden) return;
    source = new EventSource("api/v1/events");
    for (const [name, handle] of Object.entries(handlers)) {
      if (name === "lost") source.onerror = () => state.over || handle();
      else source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
    }
    source.addEventListener("end", close);
  };
  const close = () => {
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  open();
}

// every calls f now and then again and again, while the page is visible and until stop is called.
export function every(milliseconds, f) {
  let timer = 0;
  let stopped = false;
  const turn = async () => {
    clearTimeout(timer);
    if (stopped || state.over) return;
    if (!document.hidden) await f();
    if (!stopped && !state.over) timer = setTimeout(turn, milliseconds);
  };
  turn();
  return {
    now: turn,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
