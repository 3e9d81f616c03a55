// Moving and scaling a drawing by mouse and keys.

export function panZoom(drawing) {
  let content = null;
  let size = { width: 1, height: 1 };
  let at = { x: 0, y: 0, scale: 1 };
  let own = false; // the reader has moved it: it stays there when it is drawn anew

  const apply = () => content?.setAttribute("transform", `translate(${at.x.toFixed(1)},${at.y.toFixed(1)}) scale(${at.scale.toFixed(4)})`);

  function fit() {
    own = false;
    const { width, height } = drawing.getBoundingClientRect();
    const scale = Math.min(1.4, width / Math.max(1, size.width), height / Math.max(1, size.height));
    at = { scale, x: (width - size.width * scale) / 2, y: Math.max(0, (height - size.height * scale) / 2) };
    apply();
  }

  function zoom(factor, x, y) {
    own = true;
    const scale = Math.max(0.05, Math.min(4, at.scale * factor));
    at = { scale, x: x - ((x - at.x) * scale) / at.scale, y: y - ((y - at.y) * scale) / at.scale };
    apply();
  }

  function move(x, y) {
    own = true;
    at = { ...at, x: at.x + x, y: at.y + y };
    apply();
  }

  drawing.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const box = drawing.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
    },
    { passive: false },
  );
  drawing.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target.closest("a")) return;
    const drag = (e) => move(e.movementX, e.movementY);
    drawing.setPointerCapture(event.pointerId);
    drawing.addEventListener("pointermove", drag);
    drawing.addEventListener("pointerup", () => drawing.removeEventListener("pointermove", drag), { once: true });
  });
  drawing.setAttribute("tabindex", "0");
  drawing.addEventListener("keydown", (event) => {
    const box = drawing.getBoundingClientRect();
    const act = {
      ArrowLeft: () => move(40, 0),
      ArrowRight: () => move(-40, 0),
      ArrowUp: () => move(0, 40),
      ArrowDown: () => move(0, -40),
      "+": () => zoom(1.25, box.width / 2, box.height / 2),
      "-": () => zoom(0.8, box.width / 2, box.height / 2),
      0: fit,
    }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });

  return {
    fit,
    content: (node, newSize) => {
      content = node;
      size = newSize;
      if (own) apply();
      else fit();
    },
  };
}
