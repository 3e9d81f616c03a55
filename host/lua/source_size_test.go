//go:build !race

package lua_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/host/lua/internal/levels"
	"github.com/selvage-dev/selvage/internal/long"
)

func TestTheDeepestProgramsNeedLittleStack(t *testing.T) {
	if !long.On(t) || !inOwnProcess(t) {
		return
	}
	for name, n := range cheap {
		t.Run(name, func(t *testing.T) {
			state := lua.New(lua.Config{})
			defer state.Close()
			deepest := n.source(levels.Max/n.levels - 2)
			require.Greater(t, levels.Count(deepest), levels.Max-10)
			if _, err := state.Load(strings.NewReader(deepest), "deep"); err != nil {
				require.ErrorContains(t, err, "register overflow") // gopher-lua's own limit
			}
		})
	}
}

func TestLargeFlatProgramsAreAccepted(t *testing.T) {
	state := lua.New(lua.Config{})
	defer state.Close()
	times := 10_000
	if long.Full() {
		times = 100_000
	}
	for name, program := range map[string]string{
		"statements": strings.Repeat("a = b + 1\n", times),
		"calls":      strings.Repeat("f{x = 1}\n", times),
		"functions":  strings.Repeat("function a.b.c() return a end ", 10_000),
		"fields":     "return {" + strings.Repeat("{1, x = 2},\n", times) + "}",
		"elseifs":    "if a then " + strings.Repeat("elseif a == 1 then b = 1\n", 10_000) + "end",
		"ors":        "return a" + strings.Repeat(" or a == 1", 10_000/2),
		"ifs":        strings.Repeat("if a then b = (1 + c) end ", times),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := state.Load(strings.NewReader(program), name)
			require.NoError(t, err)
		})
	}
}
