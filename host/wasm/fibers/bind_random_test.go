package fibers_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/anyvalue"
	"github.com/selvage-dev/selvage/internal/asm"
)

// A list of a random type is the parameter and the result of a Go function, which a function of wasm calls
// that Go has called.
func TestValuesOfRandomTypesPassThroughWasmAndComeBackEqual(t *testing.T) {
	p, err := fibers.Compile("p.wasm", asm.Assemble(importsFirst(bumper, `
		import "env" "same" same (i32 i32) (i64)
		func through (i32 i32) export local.get 0 local.get 1 call same call answer end`)), wasm.Config{})
	require.NoError(t, err)
	defer p.Close()
	rapid.Check(t, func(t *rapid.T) {
		from := anyvalue.Source(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "") })
		typ := reflect.StructOf([]reflect.StructField{{Name: "Value", Type: from.Type(2)}})
		in, out, seen := from.Value(typ, true), reflect.New(typ), reflect.New(typ)
		same := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{typ}, []reflect.Type{typ}, false), func(args []reflect.Value) []reflect.Value {
			seen.Elem().Set(args[0])
			return args
		})
		h, err := fibers.New(fibers.Config{Program: p})
		require.NoError(t, err)
		defer h.Close()
		require.NoError(t, h.Bind("env.same", bind.Must(bind.New(same.Interface()))))
		require.NoError(t, h.CallInto(t.Context(), []any{out.Interface()}, "through", in.Interface()))
		require.Equal(t, in.Interface(), seen.Elem().Interface())
		require.Equal(t, in.Interface(), out.Elem().Interface())
	})
}
