package bind

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// everything is a type with all kinds of parts.
type everything struct {
	Bool   bool
	Int    int16
	Uint   uint64
	Float  float32
	Text   string
	Bytes  []byte
	Four   [4]byte
	List   []everything
	Named  map[string]*everything
	Index  map[int8]any
	At     time.Time
	For    time.Duration
	Big    *big.Int
	Err    error
	Any    any
	Hidden func() `guest:"-"`
}

// JSON of a guest is a Value or an error, and a Value can be stored or is an error; what was stored can be
// passed again and is equal then.
func FuzzJSONFromAGuest(f *testing.F) {
	for _, seed := range []string{
		`null`, `{}`, `[]`, `1e999`, `-0`, `18446744073709551616`, `"\ud800"`, `{"bool":true,"int":-5,"uint":18446744073709551615,"float":0.5}`, `{"list":[{"list":[{}]}]}`,
		`{"named":{"a":null,"b":{}},"index":{"1":[{}],"-128":"x"}}`, `{"at":"1970-01-01T00:00:00.5Z","for":5,"big":"123456789012345678901234567890"}`, `{"bytes":"AAE=","four":"AAECAw=="}`,
		`{"err":"x","any":[1,{"a":null}]}`, `{"a":1,"a":2}`, `[[[[[[[[[[`, `{"int":1}}`, `{"index":{"x":1}}`, `{"bytes":"?"}`, `{"at":5}`, `{"big":"x"}`,
	} {
		f.Add([]byte(seed))
	}
	codec := &Codec{JSON: true}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ParseJSON(text, "argument 1")
		if err != nil {
			require.ErrorAs(t, err, new(*ValueError))
			return
		}
		_, _ = codec.Any([]Value{v})
		var first, second everything
		if err := codec.Results([]Value{v}, []any{&first}); err != nil {
			require.ErrorAs(t, err, new(*ValueError))
			return
		}
		again, err := codec.Arguments([]any{first})
		if err != nil { // such as a time that has no form
			require.ErrorAs(t, err, new(*ValueError))
			return
		}
		out, err := again[0].JSON("result 1")
		require.NoError(t, err)
		v, err = ParseJSON(out, "argument 1")
		require.NoError(t, err)
		require.NoError(t, codec.Results([]Value{v}, []any{&second}))
		third, err := codec.Arguments([]any{second})
		require.NoError(t, err)
		require.Equal(t, again, third)
	})
}
