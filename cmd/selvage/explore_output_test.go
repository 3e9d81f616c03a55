package main

import "testing"

// The output of each run is compared, and a program may load its own modules.
func TestAnExplorationComparesTheOutputOfLuaPrograms(t *testing.T) {
	files{"m.lua": "return 3", "p.lua": `local n = require "m"
		for i = 1, n do fiber.spawn(function() fiber.yield() print(i) end) end
		for i = 1, 10 do fiber.yield() end`, "same.lua": `print(require "m", os.time(), math.random())`}.write(t)
	selvage(t, "explore", "--same-output", "p.lua").want(t, statusFinding)
	selvage(t, "explore", "--same-output", "--runs", "20", "same.lua").want(t, statusDone, "nothing was found")
}
