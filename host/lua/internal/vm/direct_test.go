//go:build !purego

package vm

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
)

// If this fails after an update of gopher-lua, programs still run, a quarter slower.
func TestTheDirectLoopFitsThisGopherLua(t *testing.T) {
	require.True(t, New(Best, 256, func() {}).Direct())
}

func TestAnotherLayoutIsNoticed(t *testing.T) {
	type moved struct {
		Fn  *glua.LFunction
		Idx int
		_   *frame
		Pc  int
	}
	type renamed struct {
		Index int
		Fn    *glua.LFunction
		_     *frame
		Pc    int
	}
	type retyped struct {
		Idx int
		Fn  *glua.LFunction
		_   *frame
		Pc  int32
	}
	mirror := reflect.TypeFor[frame]()
	require.True(t, startsLike(mirror, mirror))
	for _, real := range []reflect.Type{reflect.TypeFor[moved](), reflect.TypeFor[renamed](), reflect.TypeFor[retyped]()} {
		require.False(t, startsLike(real, mirror), real.Name())
	}
}

func TestOpcodesThatMeanCallsAreNeighbours(t *testing.T) {
	for op := range len(jumpTable) {
		inst := uint32(op)<<opcodeShift | 12345
		isCall := op == glua.OP_CALL || op == glua.OP_TAILCALL
		require.Equal(t, isCall, inst-firstCall < calls, op)
	}
}
