-- The prime sieve of C. A. R. Hoare's CSP: a chain of fibers that grows by one with
-- every prime found.
--
--     selvage run examples/lua/sieve.lua [how many]
--
-- The first fiber sends 2, 3, 4 and so on. The first number that leaves the chain is a prime;
-- a fiber that passes only numbers it does not divide is appended to the chain.

local wanted = tonumber((...)) or 40

local line = {}
fiber.scope(function(chain)
  local function filter(f)
    local out = fiber.chan()
    chain:spawn(f, out)
    return out
  end

  local numbers = filter(function(out)
    local n = 2
    while true do
      out:send(n)
      n = n + 1
    end
  end)

  local function without_multiples(input, prime)
    return filter(function(out)
      while true do
        local n = input:recv()
        if n % prime ~= 0 then
          out:send(n)
        end
      end
    end)
  end

  for _ = 1, wanted do
    local prime = numbers:recv()
    line[#line + 1] = ("%4d"):format(prime)
    if #line == 10 then
      print(table.concat(line))
      line = {}
    end
    numbers = without_multiples(numbers, prime)
  end
  chain:stop() -- the fibers of the chain never end by themselves
end)
if #line > 0 then
  print(table.concat(line))
end
