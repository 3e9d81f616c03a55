package lua_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
)

func TestFormatIsThatOfLua(t *testing.T) {
	for call, want := range map[string]string{
		`("%d %i %u %5d|%-5d|%05d|%+d"):format(1, 2.9, 3, 4, 5, 6, 7)`: "1 2 3     4|5    |00006|+7",
		`("%s %10s|%-4s|%.2s"):format("a", "b", "c", "def")`:           "a          b|c   |de",
		`("%s %s %s"):format(nil, true, 1.5)`:                          "nil true 1.5",
		`("%x %X %#x %o %c%c"):format(255, 255, 255, 8, 72, 105)`:      "ff FF 0xff 10 Hi",
		`("%f %.3f %e %g %G"):format(1, 2/3, 12345, 1e20, 1e-10)`:      "1.000000 0.667 1.234500e+04 1e+20 1E-10",
		`("%q"):format('a "b"\n')`:                                     `"a \"b\"\n"`,
		`("100%%"):format()`:                                           "100%",
		`("%d %f"):format("10", "0x10")`:                               "10 16.000000",
		`("%5.1f|%+.0e"):format(3.14159, 12345)`:                       "  3.1|+1e+04",
		`("none"):format(1, 2, 3)`:                                     "none",
		`("%d"):format()`:                                              "bad argument #2 to format (no value)",
		`("%d"):format({})`:                                            "bad argument #2 to format (number expected, got table)",
		`("%f"):format("x")`:                                           "bad argument #2 to format (number expected, got string)",
		`("%v"):format(1)`:                                             "invalid option '%v' to 'format'",
		`("%[1]d"):format(1)`:                                          "invalid option '%[' to 'format'",
		`("%*d"):format(1, 2)`:                                         "invalid option '%*' to 'format'",
		`("%"):format(1)`:                                              "invalid option '%' to 'format'",
		`("%1000000d"):format(1)`:                                      "invalid format (width or precision too long)",
		`("%.1000000f"):format(1)`:                                     "invalid format (width or precision too long)",
	} {
		d := newDriver(t, lua.Config{}, 1<<40)
		d.run(t, "local ok, text = pcall(function() local s = "+call+" return s end) io.stdout:write((text:gsub('^program.lua:1: ', '')))")
		require.Equal(t, want, d.out.String(), call)
	}
}
