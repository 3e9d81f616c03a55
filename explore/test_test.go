package explore_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// failing is a testing.TB that keeps the message of a failure.
type failing struct {
	testing.TB
	message string
}

func (f *failing) Helper()      {}
func (f *failing) Name() string { return "TestCounter" }
func (f *failing) Fatal(args ...any) {
	f.Fatalf("%v", args...)
}

type stop struct{}

func (f *failing) Fatalf(format string, args ...any) {
	f.message = fmt.Sprintf(format, args...)
	panic(stop{})
}

// run returns the message with which a test fails; "" if it passes.
func (f *failing) run(test func()) (message string) {
	defer func() {
		if r := recover(); r != nil && r != any(stop{}) {
			panic(r)
		}
		message = f.message
	}()
	test()
	return ""
}

func lostUpdate(rt *stackful.Runtime) {
	n, ended := 0, wait.NewChan[int](2)
	for range 2 {
		rt.Go("", func(f *stackful.Fiber) (any, error) {
			old := n
			if err := f.Yield(); err != nil {
				return nil, err
			}
			n = old + 1
			return nil, stackful.Send(f, ended, n)
		})
	}
	rt.Go("main", func(f *stackful.Fiber) (any, error) {
		for range 2 {
			if _, _, err := stackful.Recv(f, ended); err != nil {
				return nil, err
			}
		}
		if n != 2 {
			return nil, errLost
		}
		return nil, nil
	})
}

func TestAFailurePrintsTheLineThatRepeatsIt(t *testing.T) {
	tb := &failing{TB: t}
	message := tb.run(func() { explore.Test(tb, lostUpdate) })
	text, err := os.ReadFile("../docs/explore.md")
	require.NoError(t, err)
	require.True(t, strings.Contains(string(text), "```text\n"+message+"\n```"), "docs/explore.md does not show:\n%s", message)
	require.Contains(t, message, errLost.Error())
	_, line, found := strings.Cut(message, explore.Variable+"=")
	require.True(t, found, message)
	schedule, rest, _ := strings.Cut(line, " ")
	require.Equal(t, "go test -count=1 -run '^TestCounter$' .", rest)

	t.Setenv(explore.Variable, schedule)
	tb = &failing{TB: t}
	message = tb.run(func() { explore.Test(tb, lostUpdate) })
	require.Contains(t, message, "schedule "+schedule+": failure")

	t.Setenv(explore.Variable, "not a schedule")
	require.Contains(t, tb.run(func() { explore.Test(tb, lostUpdate) }), "copy it whole from a finding")
}

func TestAProgramWithoutMistakesPasses(t *testing.T) {
	explore.Test(t, func(rt *stackful.Runtime) {
		n, lock := 0, wait.NewMutex(wait.HandOver)
		for range 3 {
			rt.Go("", func(f *stackful.Fiber) (any, error) {
				if err := f.Lock(lock); err != nil {
					return nil, err
				}
				n++
				return nil, f.Unlock(lock)
			})
		}
	})
}
