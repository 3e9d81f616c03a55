package fibers

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/wallclock"
)

func TestTheTimeBeginsWithEachProgram(t *testing.T) {
	s := set(t, Config{})
	for range 2 {
		s.play(`print(fiber.now()) fiber.sleep(2) print(fiber.now())`)
		require.Equal(t, "0\n2\n", s.printed())
	}
	cfg := Config{}
	cfg.Runtime.Clock = wallclock.New()
	real := set(t, cfg)
	for range 2 {
		real.play(`print(fiber.now()) fiber.sleep(0.001) assert(fiber.now() >= 0.001)`)
		require.Equal(t, "0\n", real.printed())
	}
}

// full is a device without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestPrintToAFullDeviceIsAnError(t *testing.T) {
	cfg := Config{}
	cfg.Access.Stdout = full{}
	h := New(cfg)
	defer h.Close()
	_, err := h.Run(t.Context(), strings.NewReader("print('lost')"), "p.lua")
	require.EqualError(t, err, "p.lua:1: print: no space left on device")
}

// The Go error is for the host; the program, which may catch it, gets none of its text.
func TestAGoErrorIsForTheHost(t *testing.T) {
	s := set(t, Config{})
	s.global("fail", func(*glua.LState) int { return []int{}[s.Stats().Ended+5] })
	s.play("print(pcall(fail)) print(coroutine.resume(coroutine.create(fail))) print(fiber.spawn(fail):join())")
	require.Equal(t, strings.Repeat("false\ta Go function failed\n", 3), s.printed())
	require.ErrorContains(t, s.try("fail()"), "a Go function failed: runtime error: index out of range")
}

func TestAnErrorObjectIsShownAsItShowsItself(t *testing.T) {
	s := set(t, Config{})
	err := s.try(`error(setmetatable({ code = 5 }, { __tostring = function(e) fiber.sleep(1) return "code " .. e.code end }))`)
	require.EqualError(t, err, "code 5")
	guest, _ := errors.AsType[*GuestError](err)
	require.Equal(t, glua.LTTable, guest.Value.Type())
}
