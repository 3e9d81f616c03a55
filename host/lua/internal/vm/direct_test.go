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
	type original struct {
		Idx    int
		Fn     *glua.LFunction
		Parent *original
	}
	type alike struct {
		Idx    int
		Fn     *glua.LFunction
		Parent *alike
		More   int
	}
	type moved struct {
		Fn     *glua.LFunction
		Idx    int
		Parent *moved
	}
	type renamed struct {
		Index  int
		Fn     *glua.LFunction
		Parent *renamed
	}
	type retyped struct {
		Idx    int32
		Fn     *glua.LFunction
		Parent *retyped
	}
	type elsewhere struct {
		Idx    int
		Fn     *glua.LFunction
		Parent *alike
	}
	mirror := reflect.TypeFor[original]()
	require.True(t, startsLike(reflect.TypeFor[alike](), mirror))
	for _, real := range []reflect.Type{reflect.TypeFor[moved](), reflect.TypeFor[renamed](), reflect.TypeFor[retyped](), reflect.TypeFor[elsewhere]()} {
		require.False(t, startsLike(real, mirror), real.Name())
	}
}
