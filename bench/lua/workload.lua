-- The programs of bench/workload; arguments: which, and how often. The result is returned.
local sqrt = math.sqrt

local function fib(n)
  if n < 2 then return n end
  return fib(n - 1) + fib(n - 2)
end

local function advance(bodies, nbody, dt)
  for i = 1, nbody do
    local b = bodies[i]
    for j = i + 1, nbody do
      local c = bodies[j]
      local dx, dy, dz = b.x - c.x, b.y - c.y, b.z - c.z
      local dist2 = dx * dx + dy * dy + dz * dz
      local mag = dt / (dist2 * sqrt(dist2))
      b.vx = b.vx - dx * c.mass * mag
      b.vy = b.vy - dy * c.mass * mag
      b.vz = b.vz - dz * c.mass * mag
      c.vx = c.vx + dx * b.mass * mag
      c.vy = c.vy + dy * b.mass * mag
      c.vz = c.vz + dz * b.mass * mag
    end
  end
  for i = 1, nbody do
    local b = bodies[i]
    b.x = b.x + dt * b.vx
    b.y = b.y + dt * b.vy
    b.z = b.z + dt * b.vz
  end
end

local function nbody(steps)
  local bodies = {
    {x = 0, y = 0, z = 0, vx = 0, vy = 0, vz = 0, mass = 39.47},
    {x = 4.84, y = -1.16, z = -0.10, vx = 0.6, vy = 2.8, vz = -0.02, mass = 0.037},
    {x = 8.34, y = 4.12, z = -0.403, vx = -1.01, vy = 1.81, vz = 0.008, mass = 0.011},
    {x = 12.8, y = -15.1, z = -0.22, vx = 1.08, vy = 0.86, vz = -0.01, mass = 0.0017},
    {x = 15.3, y = -25.9, z = 0.17, vx = 0.97, vy = 0.59, vz = -0.03, mass = 0.002}}
  for _ = 1, steps do advance(bodies, 5, 0.01) end
  return bodies[2].x + bodies[3].y + bodies[4].z
end

local size = 32

local function entry(i, j) -- i+j times its successor is even: the quotient is an integer
  return 1 / ((i + j) * (i + j + 1) / 2 + i + 1)
end

local function timesMatrix(v, out)
  for i = 0, size - 1 do
    local sum = 0
    for j = 0, size - 1 do sum = sum + entry(i, j) * v[j + 1] end
    out[i + 1] = sum
  end
end

local function timesTransposed(v, out)
  for i = 0, size - 1 do
    local sum = 0
    for j = 0, size - 1 do sum = sum + entry(j, i) * v[j + 1] end
    out[i + 1] = sum
  end
end

local function spectral()
  local u, v, w = {}, {}, {}
  for i = 1, size do u[i] = 1 end
  for _ = 1, 5 do
    timesMatrix(u, w) timesTransposed(w, v)
    timesMatrix(v, w) timesTransposed(w, u)
  end
  local uv, vv = 0, 0
  for i = 1, size do
    uv = uv + u[i] * v[i]
    vv = vv + v[i] * v[i]
  end
  return sqrt(uv / vv)
end

local function inside(cr, ci)
  local r, i, r2, i2 = 0, 0, 0, 0
  for n = 0, 49 do
    if r2 + i2 > 4 then return n end
    i = 2 * r * i + ci
    r = r2 - i2 + cr
    r2 = r * r
    i2 = i * i
  end
  return 50
end

local function mandelbrot()
  local sum = 0
  for y = 0, 31 do
    local ci = 2 * y / 32 - 1
    for x = 0, 31 do sum = sum + inside(2 * x / 32 - 1.5, ci) end
  end
  return sum
end

local function rounds(f, n, argument)
  local sum = 0
  for _ = 1, n do sum = sum + f(argument) end
  return sum
end

local which, n = ...
if which == "Fib" then return rounds(fib, n, 20) end
if which == "NBody" then return nbody(n) end
if which == "Spectral" then return rounds(spectral, n) end
if which == "Mandelbrot" then return rounds(mandelbrot, n) end
error("no program " .. which)
