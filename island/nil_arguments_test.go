package island_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestNoExportedFunctionDereferencesANilArgument(t *testing.T) {
	join := func() *island.Island {
		i, err := new(island.Registry).Join(&scheduler.New[int](scheduler.Config{Number: 1}).Core, island.Config{Name: "a"})
		require.NoError(t, err)
		return i
	}
	port := func(i *island.Island) *island.Port[int] {
		made, err := island.Open[int](i, "p", 1)
		require.NoError(t, err)
		return made
	}
	sender := func() *island.Sender[int] {
		r := new(island.Registry)
		a, err := r.Join(&scheduler.New[int](scheduler.Config{Number: 1}).Core, island.Config{Name: "a"})
		require.NoError(t, err)
		b, err := r.Join(&scheduler.New[int](scheduler.Config{Number: 2}).Core, island.Config{Name: "b"})
		require.NoError(t, err)
		port(a)
		s, err := island.Dial[int](b, "p")
		require.NoError(t, err)
		return s
	}
	p := niltest.Probe{Good: []any{join(), new(island.Registry), &scheduler.New[int](scheduler.Config{}).Core, context.Background(), port(join()), sender()}}
	for name, f := range map[string]any{
		"Cancel": island.Cancel, "Dial": island.Dial[int], "NewBox": island.NewBox[int], "Open": island.Open[int],
		"ParseCommand": island.ParseCommand, "RecvFrom": island.RecvFrom[int], "SendTo": island.SendTo[int],
		"Shutdown": island.Shutdown, "Spawn": island.Spawn, "Wake": island.Wake,
		"Start": func(r *island.Registry, m scheduler.Machine[int], spawn func([]byte) (int, scheduler.Options, error)) {
			h, err := island.Start(r, island.StartConfig[int]{
				Config: island.Config{Name: "s"}, Machine: m,
				Spawn: map[string]func([]byte) (int, scheduler.Options, error){"f": spawn},
			})
			if err == nil {
				_, _ = h.Do(context.Background(), island.Spawn(h.Address(), "f", nil))
				h.Shutdown(nil)
				_ = h.Wait(context.Background())
			}
		},
	} {
		p.Func(t, name, f)
	}
	p.Skip = []string{"Do"} // waits for the island, which nothing runs
	p.Methods(t, func() (any, func()) { i := join(); return i, nil })
	p.Methods(t, func() (any, func()) { i := port(join()); return i, func() { i.TryRecv(); _ = i.Close() } })
	p.Methods(t, func() (any, func()) { s := sender(); return s, func() { _, _ = s.TrySend(1); _ = s.Close() } })
	p.Methods(t, func() (any, func()) { r := new(island.Registry); return r, nil })
	p.Methods(t, func() (any, func()) { r := island.RecvFrom(port(join())); return r, func() { r.Case().Ready() } })
	p.Methods(t, func() (any, func()) { s := island.SendTo(sender(), 1); return s, func() { s.Case().Ready() } })
	p.Methods(t, func() (any, func()) { return island.NewBox(1), nil })
	p.Func(t, "Do", func(ctx context.Context) {
		i := join()
		i.Leave(nil)
		_, _ = i.Do(ctx, island.Shutdown(i.Address(), ""))
	})
}
