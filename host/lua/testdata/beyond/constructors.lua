-- What is in a table is what its constructor says, whatever its last field is and however
-- many there are.
local function both() return "one", "two" end
local function show(t) print(#t, t[1], t[2], t[50], t[51], t.key) end
show{"item", key = both()}
show{"item", key = (both())}
show{"item", both()}
show((function(...) return {"item", key = ...} end)("d1", "d2"))

local function items(n) local list = {} for i = 1, n do list[i] = i end return table.concat(list, ",") end
local function made(n, rest) return assert(loadstring("local both = ... return {" .. items(n) .. rest .. "}"))(both) end
show(made(50, ", key = both() .. '!'"))
show(made(50, ", key = both()"))
show(made(50, ", both()"))
show(made(100, ", key = both() .. '!', 'last'"))
