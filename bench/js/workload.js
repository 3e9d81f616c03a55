// The programs of bench/workload; each is a function of how often.
function fib(n) {
  if (n < 2) return n;
  return fib(n - 1) + fib(n - 2);
}

function Fib(rounds) {
  let sum = 0;
  for (let k = 0; k < rounds; k++) sum += fib(20);
  return sum;
}

function planet(x, y, z, vx, vy, vz, mass) {
  return {x: x, y: y, z: z, vx: vx, vy: vy, vz: vz, mass: mass};
}

function advance(bodies, dt) {
  const count = bodies.length;
  for (let i = 0; i < count; i++) {
    const b = bodies[i];
    for (let j = i + 1; j < count; j++) {
      const c = bodies[j];
      const dx = b.x - c.x, dy = b.y - c.y, dz = b.z - c.z;
      const dist2 = dx * dx + dy * dy + dz * dz;
      const mag = dt / (dist2 * Math.sqrt(dist2));
      b.vx -= dx * c.mass * mag;
      b.vy -= dy * c.mass * mag;
      b.vz -= dz * c.mass * mag;
      c.vx += dx * b.mass * mag;
      c.vy += dy * b.mass * mag;
      c.vz += dz * b.mass * mag;
    }
  }
  for (let i = 0; i < count; i++) {
    const b = bodies[i];
    b.x += dt * b.vx;
    b.y += dt * b.vy;
    b.z += dt * b.vz;
  }
}

function NBody(steps) {
  const bodies = [
    planet(0, 0, 0, 0, 0, 0, 39.47),
    planet(4.84, -1.16, -0.10, 0.6, 2.8, -0.02, 0.037),
    planet(8.34, 4.12, -0.403, -1.01, 1.81, 0.008, 0.011),
    planet(12.8, -15.1, -0.22, 1.08, 0.86, -0.01, 0.0017),
    planet(15.3, -25.9, 0.17, 0.97, 0.59, -0.03, 0.002)];
  for (let k = 0; k < steps; k++) advance(bodies, 0.01);
  return bodies[1].x + bodies[2].y + bodies[3].z;
}

const size = 32;

function entry(i, j) {
  return 1 / ((i + j) * (i + j + 1) / 2 + i + 1);
}

function timesMatrix(v, out) {
  for (let i = 0; i < size; i++) {
    let sum = 0;
    for (let j = 0; j < size; j++) sum += entry(i, j) * v[j];
    out[i] = sum;
  }
}

function timesTransposed(v, out) {
  for (let i = 0; i < size; i++) {
    let sum = 0;
    for (let j = 0; j < size; j++) sum += entry(j, i) * v[j];
    out[i] = sum;
  }
}

function spectral() {
  const u = new Float64Array(size).fill(1), v = new Float64Array(size), w = new Float64Array(size);
  for (let k = 0; k < 5; k++) {
    timesMatrix(u, w);
    timesTransposed(w, v);
    timesMatrix(v, w);
    timesTransposed(w, u);
  }
  let uv = 0, vv = 0;
  for (let i = 0; i < size; i++) {
    uv += u[i] * v[i];
    vv += v[i] * v[i];
  }
  return Math.sqrt(uv / vv);
}

function Spectral(rounds) {
  let sum = 0;
  for (let k = 0; k < rounds; k++) sum += spectral();
  return sum;
}

function inside(cr, ci) {
  let r = 0, i = 0, r2 = 0, i2 = 0;
  for (let n = 0; n < 50; n++) {
    if (r2 + i2 > 4) return n;
    i = 2 * r * i + ci;
    r = r2 - i2 + cr;
    r2 = r * r;
    i2 = i * i;
  }
  return 50;
}

function Mandelbrot(rounds) {
  let sum = 0;
  for (let k = 0; k < rounds; k++) {
    for (let y = 0; y < 32; y++) {
      const ci = 2 * y / 32 - 1;
      for (let x = 0; x < 32; x++) sum += inside(2 * x / 32 - 1.5, ci);
    }
  }
  return sum;
}
