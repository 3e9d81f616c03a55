-- Spreads work that keeps a processor busy over islands: Lua states that run in parallel,
-- each with fibers of its own. They share nothing; jobs and results go through ports.
-- It needs real time.
--
--     selvage run examples/lua/islands.lua

local workers, last = 4, 40000

-- Each worker sends its port for jobs, and then counts the primes of one range at a time.
local function count(results)
	local jobs = fiber.port()
	results:send{jobs = jobs}
	for job in jobs:iter() do
		jobs:seal() -- the only sender is open now: when it closes, the jobs end
		local n = 0
		for candidate = job.from, job.to do
			local prime = candidate > 1
			for d = 2, math.floor(math.sqrt(candidate)) do
				if candidate % d == 0 then prime = false; break end
			end
			if prime then n = n + 1 end
		end
		results:send{jobs = jobs, primes = n}
	end
end

local results, tasks = fiber.port(2), {}
for i = 1, workers do
	tasks[i] = fiber.island("worker " .. i):spawn(count, results)
end

local total, from, busy = 0, 1, workers
while busy > 0 do
	local result = results:recv()
	total = total + (result.primes or 0)
	if from <= last then
		result.jobs:send{from = from, to = math.min(from + 999, last)}
		from = from + 1000
	else
		result.jobs:close()
		busy = busy - 1
	end
end
for i = 1, workers do assert(tasks[i]:join()) end
print("primes up to " .. last .. ": " .. total)
