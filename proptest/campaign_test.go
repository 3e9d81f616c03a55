package proptest

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/internal/long"
)

var fromWalk = flag.Uint64("from", 0, "with -long=10 or more, the walk to begin with: where a run was cut short")

// campaign is many walks, those with the numbers from, from+stride, … below walks. All of
// a walk follows from its number: its bounds, its host, its seed. So a run can be shared
// out, cut short and taken up again, and a failure found again, by number.
type campaign struct {
	from, walks, stride uint64
	tell                func(format string, args ...any) // progress; nil for none
	began               time.Time

	steps                   uint64
	tickets, fibers, tokens uint64 // stale probes that were refused
}

// campaigns is the shares of one as long as the flags say, one for each processor.
func campaigns() []*campaign {
	c := campaign{walks: uint64(long.Cases(128, 1024))}
	switch {
	case long.Deep():
		c.from, c.tell = *fromWalk, func(format string, args ...any) {
			_, _ = fmt.Fprintf(os.Stderr, format, args...)
		}
	case testing.Short():
		c.walks = 128
	}
	shares := make([]*campaign, runtime.GOMAXPROCS(0))
	for i := range shares {
		share := c
		share.from += uint64(i)
		share.stride = uint64(len(shares))
		shares[i] = &share
	}
	return shares
}

// walk is the bounds and the host of a walk, and its seed.
func (c *campaign) walk(n uint64) (fresh func() *Lockstep, seed uint64, what string) {
	all := hosts()
	bounds := wide[n%uint64(len(wide))]
	host := all[n/uint64(len(wide))%uint64(len(all))]
	return func() *Lockstep { return NewLockstep(bounds, host) }, n, fmt.Sprintf("walk %d: %s %+v", n, name(bounds), host)
}

// run takes the walks, up to the first failure.
func (c *campaign) run() error {
	c.began = time.Now()
	for i, n := uint64(0), c.from; n < c.walks; i, n = i+1, n+c.stride {
		if err := c.take(n); err != nil {
			return err
		}
		if c.tell != nil && i%1000 == 999 {
			c.progress(n)
		}
	}
	return nil
}

func (c *campaign) take(n uint64) error {
	fresh, seed, what := c.walk(n)
	w, probe := NewWalk(fresh()), NewStaleProbe(seed)
	err := w.WanderAmong(seed, walkLength, probe)
	c.steps += uint64(len(w.Taken))
	c.tickets += probe.Tried.Tickets
	c.fibers += probe.Tried.Fibers
	c.tokens += probe.Tried.Tokens
	if err != nil {
		return fmt.Errorf("%s: %w", what, w.Explain(fresh, err))
	}
	return nil
}

// progress tells how far it is, when it will be over, and where to take it up again.
func (c *campaign) progress(n uint64) {
	spent := time.Since(c.began)
	left := time.Duration(float64(spent) / float64(n-c.from+c.stride) * float64(c.walks-n))
	c.tell("share %d of %d: walk %d of %d, %.0f steps a second; %v left; -from %d goes on\n", c.from%c.stride+1, c.stride,
		n, c.walks, float64(c.steps)/spent.Seconds(), left.Round(time.Second), n-n%c.stride)
}

func TestSchedulerAndModelStayInStepFarBeyondTheBounds(t *testing.T) {
	shares := campaigns()
	t.Run("shares", func(t *testing.T) {
		for i, c := range shares {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				if err := c.run(); err != nil {
					t.Fatal(reported(err))
				}
			})
		}
	})
	sum := *shares[0]
	for _, c := range shares[1:] {
		sum.steps, sum.tickets, sum.fibers, sum.tokens = sum.steps+c.steps, sum.tickets+c.tickets, sum.fibers+c.fibers, sum.tokens+c.tokens
	}
	t.Logf("%d steps; refused: %d tickets, %d fibers, %d tokens", sum.steps, sum.tickets, sum.fibers, sum.tokens)
	if want := (sum.walks - min(sum.from, sum.walks)) * walkLength; sum.steps != want {
		t.Errorf("%d steps, want %d", sum.steps, want)
	}
	if forged := min(sum.tickets, sum.fibers, sum.tokens); forged < sum.steps/2 || sum.walks >= 1024 && sum.from == 0 && forged < 1_000_000 {
		t.Errorf("%d stale probes of one kind are too few", forged)
	}
}
