package lua_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
)

// What require does for a program, and the memory that it needs, have a bound: it is not preempted.
func TestTheWorkOfRequireHasABound(t *testing.T) {
	for program, want := range map[string]string{
		`package.path = (";"):rep(2^26) require("none")`:                "package.path has more than 1000 templates",
		`package.path = ("none?;"):rep(1000) .. "none" require("none")`: "package.path has more than 1000 templates",
		`package.path = ("?"):rep(2^26) require(("x"):rep(2^15))`:       "package.path has a template that makes the name of a file too long",
		`package.path = ("x"):rep(2^26) require("none")`:                "package.path has a template that makes the name of a file too long",
		`require(("x"):rep(2^15 + 1))`:                                  "bad argument #1 to require (name of a module too long)",
		`module(("x."):rep(2^20))`:                                      "bad argument #1 to module (name of a module too long)",
		`package.loaders[2](("x"):rep(2^20))`:                           "name of a module too long",
		`local s = ("x"):rep(2^26)
		 for i = 3, 50 do package.loaders[i] = function() return s end end require("none")`: "resulting string too large",
	} {
		d := newDriver(t, lua.Config{}, 1<<40)
		require.ErrorContains(t, d.run(t, program).err, want, program)
	}
}

// As many templates, and as long names, as systems have are in the bound.
func TestRequireFindsAModuleWithinItsBounds(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1<<40)
	main := d.run(t, `
		package.path = ("none/?.lua;"):rep(999) .. "testdata/modules/?.lua"
		assert(require("value") == require("value"))
		local long = ("x"):rep(2^15)
		package.preload[long] = function(name) return #name end
		print(require(long))`)
	require.NoError(t, main.err)
	require.Equal(t, "32768\n", d.out.String())
}
