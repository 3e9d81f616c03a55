-- Calls every function of the library with every list of up to two arguments of every
-- kind, or every thin-th, and with some lists of three. Each call must return, fail with a string that names this file and line, or be
-- waiting when it is cancelled. Prints how many did what.
local foreign, thin = ...
local outcomes = {returned = {}, refused = {}, waiting = {}, wrong = {}}
local function note(outcome, e) table.insert(outcomes[outcome], e or 1) end

local scope
fiber.scope(function(s) scope = s end)

local function values()
	local ch, full = fiber.chan(), fiber.chan(1)
	full:send(1)
	local m = fiber.mutex()
	return {
		true, 0, 1, -1, 1.5, -0.5, 1e300, -1e300, 2^53, 1/0, -1/0, 0/0, "", "x", "1", "recv", {}, type, function() end,
		coroutine.create(type), io.stdout, ch, full, m, fiber.spawn(function() end), fiber.spawn(fiber.sleep, 1), fiber, getmetatable("").__index,
		{{ch, "recv"}}, {{ch}, timeout = 0}, {{full, "send", 1}, timeout = -1}, {default = 1}, {timeout = 0/0}, {{}, {}, default = true},
		foreign.chan, foreign.mutex, foreign.task, {{foreign.chan, "recv"}},
		fiber.timer(1), {{fiber.timer(1), "wait"}}, foreign.timer, {{foreign.timer, "wait"}},
		{wait = "any", rest = "cancel"}, {wait = 1}, foreign.rwmutex, foreign.semaphore, foreign.cond, foreign.once, foreign.group, foreign.scope,
	}, {
		chan = ch, mutex = m, task = fiber.spawn(fiber.sleep, 1), rwmutex = fiber.rwmutex(), semaphore = fiber.semaphore(1),
		cond = fiber.cond(m), once = fiber.once(), group = fiber.group(), timer = fiber.timer(1), scope = scope,
	}
end

local functions = {}
for name, f in pairs(fiber) do if name ~= "spawn" then functions[name] = f end end
local _, objects = values()
for kind, methods in pairs{
	chan = {"send", "recv", "try_send", "try_recv", "close", "cap", "iter"}, mutex = {"lock", "try_lock", "unlock", "with"},
	task = {"join", "cancel", "status", "name"}, rwmutex = {"rlock", "try_rlock", "runlock", "rwith"},
	semaphore = {"acquire", "try_acquire", "release", "with"}, cond = {"wait", "signal", "broadcast"},
	once = {"run", "done"}, group = {"spawn", "add", "wait", "cancel"}, timer = {"wait", "stop", "reset"},
	scope = {"spawn", "cancel", "stop"},
} do
	for _, name in ipairs(methods) do functions[kind .. "." .. name] = objects[kind][name] end
end
functions.spawn = fiber.spawn

local here = "^anyargs.lua:%d+: "
local function judge(task, name)
	local done, ok, e = task:join(0.001)
	if done == nil then
		task:cancel()
		task:join()
		note("waiting")
	elseif done == false then
		note(tostring(ok):match("^cancelled") and "waiting" or "wrong", name .. ": " .. tostring(ok))
	elseif ok then
		note("returned")
	else
		note(type(e) == "string" and e:match(here) and "refused" or "wrong", name .. ": " .. tostring(e))
	end
end

local function names(list) local r = {}; for k in pairs(list) do table.insert(r, k) end; table.sort(r); return r end
for _, name in ipairs(names(functions)) do
	local f = functions[name]
	local vs, own = values()
	own = name:match("%.") and own[name:match("^%l+")] -- a method is tried on an object of its kind,
	local step = own and thin * 9 or thin -- and on the others with fewer arguments: it refuses them first
	-- Arguments are evaluated anew for each first argument, for what a call may have done to them.
	judge(fiber.spawn(function() return pcall(function() return true, f() end) end), name)
	for i = own and 0 or 1, #vs do
		local vs = values()
		vs[0] = own
		judge(fiber.spawn(function() return pcall(function() return true, f(vs[i]) end) end), name)
		local step = i == 0 and thin or step
		for j = i % step + 1, #vs, step do
			judge(fiber.spawn(function() return pcall(function() return true, f(vs[i], vs[j]) end) end), name)
			if type(vs[i]) == "userdata" or type(vs[i]) == "function" then
				for k = j % 7 + 1, #vs, 7 do judge(fiber.spawn(function() return pcall(function() return true, f(vs[i], vs[j], vs[k]) end) end), name) end
			end
		end
	end
end
for i, e in ipairs(outcomes.wrong) do if i <= 10 then print(e) end end
print(#outcomes.returned > 0, #outcomes.refused > 0, #outcomes.waiting > 0, #outcomes.wrong)
