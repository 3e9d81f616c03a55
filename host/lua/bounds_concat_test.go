//go:build !purego

// A build with purego has gopher-lua's operator ..: docs/lua.md, Limits.

package lua_test

import "testing"

func TestNoConcatenationMakesAStringBeyondTheBound(t *testing.T) {
	refused(t,
		`s .. s .. s .. s .. "x"`,
		`s .. s .. s .. s .. 1`,
		`"x" .. (s .. s .. s .. s)`,
		`"x" .. setmetatable({}, { __concat = function() return s .. s .. s .. s end }) .. s`,
	)
}
