package lua

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

// value is what an expression is in a State.
func value(t *testing.T, s *State, expression string) string {
	t.Helper()
	base := s.Base()
	require.NoError(t, base.DoString("return "+expression))
	v := base.Get(-1)
	base.Pop(1)
	return v.String()
}

func TestTheTimeIsThatOfTheConfig(t *testing.T) {
	now := time.Date(2031, 2, 3, 4, 5, 6, 0, time.FixedZone("east", 3600))
	s := New(Config{Now: func() time.Time { return now }})
	defer s.Close()
	now = now.Add(90 * time.Second)
	for expression, want := range map[string]string{
		"os.clock()":                         "90",
		"os.time()":                          "1927854396",
		"os.date('%Y-%m-%d %H:%M:%S %Z %z')": "2031-02-03 04:06:36 east +0100",
		"os.date('!%X')":                     "03:06:36",
		"os.date('!%X', 0)":                  "00:00:00",
		"os.date('%X', 0)":                   "01:00:00",
		"os.date('*t').hour":                 "4",
		"os.date('!*t').hour":                "3",
		"os.date('*t').yday":                 "34",
		"os.date('*t').isdst":                "false",
		"os.date('%w%%%q%')":                 "1%%q%",
		"os.date()":                          "03 Feb 31 04:06 east",
		"os.time{year = 2031, month = 2, day = 3, hour = '4', min = '0x6', sec = 36}": "1927854396",
		"os.time{year = 2031, month = 2, day = 3}":                                    "1927882800",
	} {
		assert.Equal(t, want, value(t, s, expression), expression)
	}
}

// The forms of dates are those of gopher-lua, for any text.
func TestDatesAreThoseOfGopherLua(t *testing.T) {
	s, native := New(Config{}), glua.NewState()
	defer s.Close()
	defer native.Close()
	for _, format := range []string{"", "%", "%%", "%%%", "a%", "%a%A%b%B%c%d%F%H%I%m%M%p%P%S%x%X%y%Y%z%Z%w", "%j%Ey", "x%%y%!", "!%c", "!!%H"} {
		expression := "os.date('" + format + "', 86399)"
		require.NoError(t, native.DoString("return "+expression))
		assert.Equal(t, native.Get(-1).String(), value(t, s, expression), format)
	}
}
