package actor_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/actor"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestNoExportedFunctionDereferencesANilArgument(t *testing.T) {
	machine := scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
		return fiber.Outcome{Kind: fiber.Done}
	})
	root := actor.Spec[string]{Name: "root", New: actor.Stateless(func(cx *actor.Context[string], msg string) {})}
	fresh := func() *actor.System[string] {
		sys, err := actor.New(scheduler.New[int](scheduler.Config{}), nil, root, actor.Options[string]{})
		require.NoError(t, err)
		return sys
	}
	turn := func(sys *actor.System[string]) func() {
		return func() { _ = sys.Dispatch("x"); sys.Turn(); _, _ = sys.Next(context.Background()) }
	}
	p := niltest.Probe{
		Good: []any{
			scheduler.New[int](scheduler.Config{}), machine, root, fresh(), context.Background(), actor.JSON[string](),
			actor.JSON[string]().Encode, actor.JSON[string]().Decode, strings.NewReader("{}\n"), new(bytes.Buffer), func(string) (actor.Spec[string], error) { return root, nil },
		},
		Nil: []any{scheduler.MachineFunc[int](nil), actor.HandlerFunc[string](nil)},
	}
	for name, f := range map[string]any{
		"New": actor.New[string, int], "NewPlayer": actor.NewPlayer[string], "Record": actor.Record[string],
		"JSON": actor.JSON[string], "ParseHandle": actor.ParseHandle,
		"Stateless": func(f actor.HandlerFunc[string]) { actor.Stateless(f)(nil) },
	} {
		p.Func(t, name, f)
	}
	p.Func(t, "Record with nil functions", func(encode func(string) ([]byte, error)) {
		sys := fresh()
		r, err := actor.Record(sys, new(bytes.Buffer), actor.Codec[string]{Encode: encode})
		if err == nil {
			turn(sys)()
			_ = r.Close()
		}
	})
	p.Methods(t, func() (any, func()) { sys := fresh(); return sys, turn(sys) })
	p.Methods(t, func() (any, func()) { sys := fresh(); return sys.Outside(), turn(sys) })
	p.Methods(t, func() (any, func()) { return new(actor.Handle), nil })
	p.Methods(t, func() (any, func()) {
		r, err := actor.Record(fresh(), new(bytes.Buffer), actor.JSON[string]())
		require.NoError(t, err)
		return r, nil
	})
	journal := recorded(t, fresh())
	p.Func(t, "NewPlayer with nil functions", func(encode func(string) ([]byte, error), decode func([]byte) (string, error)) {
		player, err := actor.NewPlayer(fresh(), strings.NewReader(journal), actor.Codec[string]{Encode: encode, Decode: decode}, nil)
		if err == nil {
			_ = player.Play()
		}
	})
	p.Methods(t, func() (any, func()) {
		player, err := actor.NewPlayer(fresh(), strings.NewReader(journal), actor.JSON[string](), nil)
		require.NoError(t, err)
		return player, func() { require.NoError(t, player.Play()) }
	})
}

// recorded is the journal of a turn.
func recorded(t *testing.T, sys *actor.System[string]) string {
	var journal bytes.Buffer
	r, err := actor.Record(sys, &journal, actor.JSON[string]())
	require.NoError(t, err)
	require.NoError(t, sys.Dispatch("x"))
	sys.Turn()
	require.NoError(t, r.Close())
	return journal.String()
}
