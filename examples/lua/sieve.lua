-- The prime sieve of C. A. R. Hoare's CSP: a chain of fibers that grows by one with
-- every prime found.
--
--     selvage run examples/lua/sieve.lua [how many]
--
-- The first fiber sends 2, 3, 4 and so on. The first number that leaves the chain is a prime;
-- a fiber that passes only numbers it does not divide is appended to the chain.

local wanted = tonumber((...)) or 40

local function numbers()
  local out = fiber.chan()
  fiber.spawn(function()
    local n = 2
    while true do
      out:send(n)
      n = n + 1
    end
  end)
  return out
end

local function without_multiples(input, prime)
  local out = fiber.chan()
  fiber.spawn(function()
    while true do
      local n = input:recv()
      if n % prime ~= 0 then
        out:send(n)
      end
    end
  end)
  return out
end

local chain, line = numbers(), {}
for _ = 1, wanted do
  local prime = chain:recv()
  line[#line + 1] = ("%4d"):format(prime)
  if #line == 10 then
    print(table.concat(line))
    line = {}
  end
  chain = without_multiples(chain, prime)
end
if #line > 0 then
  print(table.concat(line))
end

-- Here the main program ends, and with it the fibers of the chain, which would
-- otherwise never end: they need not be stopped one by one.
