-- A scope ends when f and all fibers spawned through it have, and gives what f gives.
print(fiber.scope(function(s)
	for i = 1, 3 do
		s:spawn(function(n) fiber.sleep(n) io.write(n, " ") end, i)
	end
	return "f returned", nil, type(s)
end)) --> 1 2 3 f returned nil userdata
print(fiber.now()) --> 3
print(select("#", fiber.scope(function() end))) --> 0

-- The first failure ends all of it, and is raised with the value it had.
local function failing(value)
	return pcall(fiber.scope, function(s)
		s:spawn(fiber.sleep, 1e6)
		s:spawn(function() while true do end end) -- busy
		s:spawn(function() local ch = fiber.chan() while true do pcall(ch.recv, ch) end end)
		s:spawn(function() fiber.yield() error(value) end)
		fiber.chan():recv() -- f too: nobody would ever send
		print("not reached")
	end)
end
print(failing("boom")) --> false scope.lua:17: boom
local thrown = {}
print(select(2, failing(thrown)) == thrown) --> true
print(failing(nil)) --> false nil
print(pcall(fiber.scope, function(s)
	s:spawn(function() fiber.sleep(1e6) end)
	error("f itself")
end)) --> false scope.lua:28: f itself
print(fiber.now()) --> 3

-- Its fibers may spawn into it; whoever joins one of them learns how it ended.
print(fiber.scope(function(s)
	local parent = s:spawn(function()
		return s:spawn(function() fiber.sleep(1) return "grandchild" end)
	end)
	local _, child = parent:join()
	return child:join()
end)) --> true grandchild

-- To stop the others is no failure, to cancel all is one.
print(fiber.scope(function(s)
	s:spawn(fiber.sleep, 1e6)
	s:stop()
	return "enough"
end)) --> enough
print(pcall(fiber.scope, function(s)
	s:spawn(function() fiber.sleep(1) s:cancel("no use") end)
	fiber.sleep(1e6)
end, {name = "search"})) --> false scope.lua:…: scope "search" was cancelled: no use
print(fiber.now()) --> 5

-- A scope that is not open takes no fibers.
local kept
fiber.scope(function(s) kept = s end, {name = "short"})
print(pcall(function() kept:spawn(print) end)) --> false @: scope "short" takes no more fibers: it has ended
kept:cancel("nothing to cancel")
fiber.scope(function(s)
	s:stop()
	print(pcall(s.spawn, s, print)) --> false @: scope "scope.lua:…" takes no more fibers: its scope no longer needs it
end)
print(kept) --> scope: short

-- At the timeout it is cancelled.
print(fiber.scope(function(s)
	s:spawn(fiber.sleep, 1e6)
	fiber.sleep(1e6)
end, {timeout = 2})) --> nil timeout
print(fiber.now()) --> 7
print(fiber.scope(function() return "in time" end, {timeout = 2})) --> in time

-- wait = "any": the first that ends well gives the results.
local function mirrors(broken)
	return fiber.scope(function(s)
		for i = 3, 1, -1 do
			s:spawn(function()
				fiber.sleep(i)
				if i <= broken then error("mirror " .. i .. " is down", 0) end
				return "mirror", i
			end)
		end
		return "of f"
	end, {wait = "any", name = "mirrors"})
end
print(mirrors(1)) --> mirror 2
print(pcall(mirrors, 3))
--> false scope.lua:…: scope "mirrors": fiber … failed: mirror 1 is down
--> scope "mirrors": fiber … failed: mirror 2 is down
--> scope "mirrors": fiber … failed: mirror 3 is down

-- wait = "all": what fails stops nobody. One failure is raised as it is, several together.
local function jobs(broken)
	return fiber.scope(function(s)
		for i = 1, 3 do
			s:spawn(function()
				fiber.sleep(i)
				if i <= broken then error("job " .. i) end
				io.write("job ", i, " done; ")
			end)
		end
	end, {wait = "all", name = "jobs"})
end
print(pcall(jobs, 1)) --> job 2 done; job 3 done; false scope.lua:…: job 1
print(pcall(jobs, 2))
--> job 3 done; false scope.lua:…: scope "jobs": fiber … failed: scope.lua:…: job 1
--> scope "jobs": fiber … failed: scope.lua:…: job 2

-- Scopes nest. A cancel of a fiber ends the scope it waits for first, and then the fiber.
local outer = fiber.spawn(function()
	fiber.scope(function(s)
		s:spawn(fiber.scope, function(inner)
			inner:spawn(fiber.sleep, 1e6)
			fiber.sleep(1e6)
		end)
	end)
	print("not reached")
end)
fiber.sleep(1)
outer:cancel("stop")
print(outer:join()) --> false cancelled: stop

-- Misuse.
print(pcall(fiber.scope, 1)) --> false @: bad argument #1 to … (function expected, got number)
print(pcall(fiber.scope, print, {wiat = "all"})) --> false @: bad argument #2 to … (wiat: no such option; want one of wait, timeout, name, steps, fibers, timers, operations, output, time)
print(pcall(fiber.scope, print, {wait = "some"})) --> false @: bad argument #2 to … (wait: want "first_error", "all" or "any", got some)
print(pcall(fiber.scope, print, {timeout = -1})) --> false @: bad argument #2 to … (bad duration: -1 s is negative; want …)
print(pcall(kept.spawn, 1, print)) --> false @: bad argument #1 to … (scope expected, got number; call it as s:method())
