package explore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/replay"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/trace"
)

// traced runs a program on package stackful once under a strategy, and returns the trace of the run.
func traced(t require.TestingT, s explore.Strategy, start func(rt *stackful.Runtime)) string {
	var out bytes.Buffer
	p := explore.Guest(explore.Bounds{}, func(ctx context.Context, cfg scheduler.Config, _ io.Writer) error {
		out.Reset()
		watch := cfg.Observer
		w := trace.New(&out, &cfg)
		write := cfg.Observer
		cfg.Observer = func(step scheduler.Transition) {
			watch(step)
			write(step)
		}
		rt := stackful.New(stackful.Config{Config: cfg})
		start(rt)
		err := rt.Run(ctx)
		rt.Close()
		return errors.Join(err, w.Close())
	})
	_, err := explore.Search(context.Background(), p, explore.Options{Strategy: s, Runs: 1, MinimizeRuns: -1})
	require.NoError(t, err)
	return out.String()
}

// Each trace of an explored run follows the specification with a free choice of the next fiber. Few
// follow it with the first ready fiber as the next.
func TestTracesOfExploredRunsFollowTheSpecification(t *testing.T) {
	inOrder, out := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		program := programs().Draw(t, "program")
		for _, s := range []explore.Strategy{explore.Random(rapid.Uint64().Draw(t, "seed")), explore.PCT(1, 3)} {
			text := traced(t, s, program.start)
			first, _, _ := strings.Cut(text, "\n")
			require.Equal(t, `{"trace":"selvage","version":2,"scheduler":0,"free":true}`, first)
			_, err := replay.Check(strings.NewReader(text))
			require.NoError(t, err, "%v\n%s", program, text)
			if _, err = replay.Check(strings.NewReader(resealed(text, `,"free":true`, ""))); err == nil {
				inOrder++
			} else {
				out++
			}
		}
	})
	require.Positive(t, out)
	t.Logf("%d runs were first in, first out; %d were not", inOrder, out)
}

// resealed replaces a part of the first line of a trace, with an end that fits.
func resealed(text, old, with string) string {
	first, rest, _ := strings.Cut(text, "\n")
	body := strings.Replace(first, old, with, 1) + "\n" + rest[:strings.LastIndex(strings.TrimSuffix(rest, "\n"), "\n")+1]
	return body + fmt.Sprintf(`{"op":"end","count":%d,"sum":%d}`+"\n", strings.Count(body, "\n")-1, crc32.ChecksumIEEE([]byte(body)))
}
