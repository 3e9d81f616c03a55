package fibers

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

func TestAGoErrorKeepsItsIdentityThroughLua(t *testing.T) {
	s := set(t, Config{})
	cause := fmt.Errorf("no row: %w", os.ErrNotExist)
	s.global("raise", func(L *glua.LState) int { L.Error(&glua.LUserData{Value: cause}, 0); return 0 })
	s.global("explode", func(*glua.LState) int { panic(cause) })
	for _, program := range []string{
		`raise()`, `explode()`, `local _, e = pcall(raise) error(e)`, `local _, e = fiber.spawn(raise):join() error(e, 0)`,
		`coroutine.wrap(function() raise() end)()`, `fiber.scope(function(s) s:spawn(raise) end)`,
	} {
		s.play("function work() " + program + " end")
		_, err := s.Call(s.ctx, "work")
		require.ErrorIs(t, err, os.ErrNotExist, program)
		require.ErrorContains(t, err, "no row: file does not exist", program)
		require.True(t, errors.As(err, new(*GuestError)))
	}
	_, err := s.Call(s.ctx, "none")
	require.NotErrorIs(t, err, os.ErrNotExist)
	s.play(`function own() error "of Lua" end`)
	_, err = s.Call(s.ctx, "own")
	require.EqualError(t, err, "p.lua:1: of Lua")
	require.NoError(t, errors.Unwrap(err))
}
