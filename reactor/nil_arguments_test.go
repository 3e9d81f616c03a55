package reactor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/reactor"
)

// inSlice is a Machine that calls f in each slice.
type inSlice struct {
	f func(*reactor.Slice[int]) fiber.Outcome
}

func (m inSlice) Group(*int) reactor.Group                   { return 0 }
func (m inSlice) Resume(s *reactor.Slice[int]) fiber.Outcome { return m.f(s) }

func TestNoExportedFunctionDereferencesANilArgument(t *testing.T) {
	end := inSlice{func(s *reactor.Slice[int]) fiber.Outcome { return s.Return(nil, nil) }}
	p := niltest.Probe{Good: []any{context.Background(), end, func(string) (string, bool) { return "", false }}}
	p.Func(t, "New", reactor.New[int])
	p.Methods(t, func() (any, func()) { return reactor.Config{}, nil })
	p.Methods(t, func() (any, func()) {
		r, err := reactor.New[int](reactor.Config{Workers: 1}, end)
		require.NoError(t, err)
		return r, func() { _, _ = r.Run(context.Background(), 0) }
	})
}

// What a slice asks for is carried out by the loop, so a nil is refused in the slice.
func TestNoMethodOfASliceKeepsANilArgument(t *testing.T) {
	for name, misuse := range map[string]func(s *reactor.Slice[int]) fiber.Outcome{
		"Do":    func(s *reactor.Slice[int]) fiber.Outcome { s.Do(nil); return s.Return(nil, nil) },
		"Await": func(s *reactor.Slice[int]) fiber.Outcome { return s.Await(nil) },
	} {
		r, err := reactor.New[int](reactor.Config{Workers: 1}, inSlice{func(s *reactor.Slice[int]) (o fiber.Outcome) {
			defer func() {
				seen := recover()
				require.NotNil(t, seen, name)
				require.Empty(t, niltest.Fault(seen), name)
				o = s.Return(nil, nil)
			}()
			return misuse(s)
		}})
		require.NoError(t, err)
		_, err = r.Run(context.Background(), 0)
		require.NoError(t, err)
	}
}
