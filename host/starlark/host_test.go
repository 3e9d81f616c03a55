package starlark_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	gostar "go.starlark.net/starlark"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/host/starlark"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ending is how a run ended.
type ending struct {
	globals gostar.StringDict
	err     error
	out     string
	steps   int64
}

// play runs a program to its end.
func play(t testing.TB, cfg starlark.Config, source string) (e ending) {
	t.Helper()
	var out bytes.Buffer
	cfg.Access.Stdout = &out
	h, err := starlark.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	e.globals, e.err = h.Run(context.Background(), "p.star", []byte(source))
	e.out, e.steps = out.String(), h.Spent().Steps
	return e
}
