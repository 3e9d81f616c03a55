package bind

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/internal/anyvalue"
)

func TestEveryValueThatPassesComesBackEqual(t *testing.T) {
	for name, codec := range map[string]*Codec{"exact": {}, "float64": {Float64: true}, "JSON": {JSON: true}} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				from := anyvalue.Source(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "") })
				in := from.Value(from.Type(3), true)
				out := reflect.New(in.Type())
				values, err := codec.Arguments([]any{in.Interface()})
				require.NoError(t, err)
				detached, err := codec.Detach(values)
				require.NoError(t, err)
				require.NoError(t, codec.Results(detached, []any{out.Interface()}))
				require.Equal(t, in.Interface(), out.Elem().Interface())
			})
		})
	}
}
