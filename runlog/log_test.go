package runlog_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/runlog"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// records are JSON lines without the time.
func records(cfg runlog.Config) (*runlog.Log, *bytes.Buffer) {
	var text bytes.Buffer
	cfg.Logger = slog.New(slog.NewJSONHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	return runlog.New(cfg), &text
}

// logged runs main on a scheduler that is made with the Config, and returns what was written.
func logged(t *testing.T, cfg runlog.Config, made scheduler.Config, main func(rt *stackful.Runtime, f *stackful.Fiber) error) string {
	log, text := records(cfg)
	log.Configure(&made)
	rt := stackful.New(stackful.Config{Config: made})
	defer rt.Close()
	_, err := rt.GoWith("main", func(f *stackful.Fiber) (any, error) { return nil, main(rt, f) }, scheduler.Options{Main: true})
	require.NoError(t, err)
	log.Ended(rt.Scheduler().Inspect(), rt.Run(t.Context()))
	return text.String()
}

func TestTheEndOfARunIsOneRecord(t *testing.T) {
	boom := errors.New("boom")
	for want, end := range map[string]error{
		`{"level":"INFO","msg":"run ended","totals":{"spawned":0,"ended":0,"killed":0,"lost":0,"transitions":0}}`:                                                                                                              nil,
		`{"level":"WARN","msg":"run interrupted","reason":"context canceled","totals":{"spawned":0,"ended":0,"killed":0,"lost":0,"transitions":0}}`:                                                                            context.Canceled,
		`{"level":"ERROR","msg":"run failed","reason":"boom","totals":{"spawned":0,"ended":0,"killed":0,"lost":0,"transitions":0}}`:                                                                                            boom,
		`{"level":"ERROR","msg":"run failed","reason":"a.x:3: panic: boom","site":"a.x:3","totals":{"spawned":0,"ended":0,"killed":0,"lost":0,"transitions":0}}`:                                                               &scheduler.PanicError{Value: boom, Site: "a.x:3"},
		`{"level":"ERROR","msg":"quota used up","reason":"the quota of guest is used up: steps, limit 5","account":"guest","resource":"steps","limit":5,"totals":{"spawned":0,"ended":0,"killed":0,"lost":0,"transitions":0}}`: &quota.Error{Account: "guest", Limit: 5},
	} {
		log, text := records(runlog.Config{})
		log.Ended(scheduler.New[int](scheduler.Config{}).Inspect(), end)
		require.JSONEq(t, want, text.String())
	}
}

// site is a line for each fiber.
func site(id fiber.RegularID) string { return "p.x:" + string('1'+rune(id.Index())) }

func TestADeadlockHasARecordForEachFiberAndTheCycle(t *testing.T) {
	both := func(rt *stackful.Runtime, f *stackful.Fiber) error {
		a, b := new(wait.Mutex), new(wait.Mutex)
		lock := func(first, second *wait.Mutex) stackful.Func {
			return func(f *stackful.Fiber) (any, error) {
				return nil, errors.Join(f.Lock(first), f.Yield(), f.Lock(second))
			}
		}
		_, err := rt.Go("other", lock(b, a))
		_, failed := lock(a, b)(f)
		return errors.Join(err, failed)
	}
	const all = `{"level":"ERROR","msg":"fiber is blocked","fiber":"f0.1","name":"main","site":"p.x:1","reason":"mutex (owner f1.1, waiting: 1)","holders":"f1.1"}
{"level":"ERROR","msg":"fiber is blocked","fiber":"f1.1","name":"other","site":"p.x:2","reason":"mutex (owner f0.1, waiting: 1)","holders":"f0.1"}
`
	const end = `{"level":"ERROR","msg":"deadlock","fibers":2,"cycle":"f0.1 f1.1","totals":{"spawned":2,"ended":0,"killed":0,"lost":0,"transitions":6}}
`
	require.Equal(t, all+end, logged(t, runlog.Config{}, scheduler.Config{Site: site}, both))
	require.Equal(t, all[:len(all)/2]+end, logged(t, runlog.Config{Fibers: 1}, scheduler.Config{Site: site}, both))
}

func TestALeakIsReportedLikeADeadlock(t *testing.T) {
	got := logged(t, runlog.Config{}, scheduler.Config{Linger: true, Site: site}, func(rt *stackful.Runtime, f *stackful.Fiber) error {
		_, err := rt.Go("left", func(f *stackful.Fiber) (any, error) { return nil, stackful.Send(f, wait.NewChan[int](0), 1) })
		return err
	})
	require.Equal(t, `{"level":"ERROR","msg":"fiber is blocked","fiber":"f1.1","name":"left","site":"p.x:2","reason":"chan (0 of 0 buffered, receivers waiting: 0, senders waiting: 1)"}
{"level":"ERROR","msg":"leak","fibers":1,"totals":{"spawned":2,"ended":1,"killed":0,"lost":0,"transitions":4}}
`, got)
}

// What is lost is written, and the hooks that the Config had are called.
func TestHooksOfTheConfigAreCalledToo(t *testing.T) {
	var failed []string
	lost, dropped := 0, 0
	cfg := scheduler.Config{
		Unobserved: func(e *scheduler.UnobservedError) { failed = append(failed, e.Name) },
		Lost:       func(fiber.Ticket) { lost++ },
		Dropped:    func(fiber.Token, ioqueue.Completion) { dropped++ },
	}
	details := func(err error) []slog.Attr { return []slog.Attr{slog.Int("length", len(err.Error()))} }
	got := logged(t, runlog.Config{Details: details}, cfg, func(rt *stackful.Runtime, f *stackful.Fiber) error {
		s, messages := rt.Scheduler(), wait.NewChan[int](0)
		_, _ = rt.Go("fails", func(*stackful.Fiber) (any, error) { return nil, errors.New("no disk") })
		receiver, _ := rt.Go("receives", func(f *stackful.Fiber) (any, error) { _, _, err := stackful.Recv(f, messages); return nil, err })
		var tok fiber.Token
		reader, _ := rt.Go("reads", func(f *stackful.Fiber) (any, error) {
			_, err := f.Operate(func(t fiber.Token) error { tok = t; return nil })
			return nil, err
		})
		err := f.Sleep(time.Second) // all wait
		err = errors.Join(err, stackful.Send(f, messages, 1), s.Kill(receiver.ID(), nil), s.Kill(reader.ID(), nil))
		err = errors.Join(err, f.Yield())
		s.Ops().Complete(tok, ioqueue.Completion{N: 3, Err: errors.New("closed")})
		return err
	})
	require.Equal(t, `{"level":"DEBUG","msg":"result lost","fiber":"f2.1"}
{"level":"DEBUG","msg":"completion dropped","operation":16777217,"n":3,"reason":"closed"}
{"level":"ERROR","msg":"fiber failed","fiber":"f1.1","name":"fails","reason":"no disk","length":7}
{"level":"INFO","msg":"run ended","totals":{"spawned":4,"ended":4,"killed":2,"lost":1,"transitions":15}}
`, got)
	require.Equal(t, []string{"fails"}, failed)
	require.Equal(t, []int{1, 1}, []int{lost, dropped})
}
