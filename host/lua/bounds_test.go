package lua_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
)

// refused checks that expressions make no string of more than 256 MB. s is one of 64 MB, the
// largest argument here.
func refused(t *testing.T, expressions ...string) {
	for _, expression := range expressions {
		d := newDriver(t, lua.Config{}, 1<<40)
		d.run(t, `local s = ("x"):rep(2^26) print(select(2, pcall(function() local s = `+expression+` return #s end)))`)
		require.Equal(t, "program.lua:1: resulting string too large\n", d.out.String(), expression)
	}
}

func TestNoFunctionMakesAStringBeyondTheBound(t *testing.T) {
	refused(t,
		`("%s%s%s%s%s"):format(s, s, s, s, "x")`,
		`("%q"):format(s .. "x")`,
		`s:rep(4.1e9)`,
		`s:rep(5)`,
		`table.concat({ s, s, s, s }, "x")`,
		`(s:gsub("$", function() return s .. s .. s .. s end))`,
		`os.date(("%c"):rep(2^26))`,
		`(("\255"):rep(2^28 / 2)):upper()`,
		`(("\255"):rep(2^28 / 2)):lower()`,
	)
}

func TestAStringMayHaveTheLengthOfTheBound(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1<<40)
	d.run(t, `local s = ("x"):rep(2^26) print(#(s .. s .. s .. s), #("%s%s%s%s"):format(s, s, s, s), #s:rep(4), #s:upper())`)
	require.Equal(t, "268435456\t268435456\t268435456\t67108864\n", d.out.String())
}
