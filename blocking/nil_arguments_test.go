package blocking_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/niltest"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestNoExportedFunctionDereferencesANilArgument(t *testing.T) {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext()
	token := func() fiber.Token { tok, err := s.Ops().Submit(); require.NoError(t, err); return tok }
	work := blocking.Work(func(context.Context) (any, error) { return nil, nil })
	p := niltest.Probe{Good: []any{&s.Core, context.Background(), work, func() {}, token()}, Skip: []string{"CloseCounted"}}
	p.Func(t, "New", blocking.New)
	p.Methods(t, func() (any, func()) {
		pool, err := blocking.New(&scheduler.New[int](scheduler.Config{}).Core, blocking.Config{})
		require.NoError(t, err)
		return pool, func() { _ = pool.Close(context.Background()) }
	})
}
