package stackful

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/wait"
)

// below is the position some lines below its caller.
func below(lines int) string {
	_, file, n, _ := runtime.Caller(1)
	return fmt.Sprintf("stackful/%s:%d", filepath.Base(file), n+lines)
}

func TestAReportSaysWhichLineOfGoEachFiberHasReached(t *testing.T) {
	each(t, func(s *testRun) {
		ch, m, timer := wait.NewChan[int](0), wait.NewMutex(wait.Poison), new(wait.Timer)
		at := map[string]string{}
		spawn := func(name, site string, body func(f *Fiber) error) {
			at[name] = site
			s.start(name, func(f *Fiber) (any, error) { return nil, body(f) })
		}
		spawn("holds", below(2), func(f *Fiber) error {
			s.ok(f.Lock(m))
			return f.Sleep(time.Hour)
		})
		spawn("sends", below(0), func(f *Fiber) error { return Send(f, ch, 1) })
		spawn("locks", below(0), func(f *Fiber) error { return f.Lock(m) })
		spawn("selects", below(1), func(f *Fiber) error {
			_, err := f.Select(wait.NewSelect(wait.RecvFrom[int](nil), timer))
			return err
		})
		spawn("opens a scope", below(1), func(f *Fiber) error {
			_, err := f.Scope(scope.Options{Name: "inner"}, func(f *Fiber, _ *Scope) (any, error) {
				return nil, f.WaitTimer(timer)
			})
			return err
		})
		at["inner"] = below(-4)
		spawn("is in a native call", below(1), func(f *Fiber) error {
			_, err := f.Call(func(f *Fiber) (any, error) { return nil, f.WaitTimer(timer) })
			return err
		})
		spawn("yields", below(1), func(f *Fiber) error {
			for f.Yield() == nil {
			}
			return nil
		})
		spawn("defers", below(1), func(f *Fiber) error {
			defer func() { _ = f.WaitTimer(timer) }()
			return errors.New("the end")
		})
		spawn("asks", below(7), func(f *Fiber) error {
			s.ok(f.Yield())
			s.ok(f.Yield())
			at["has not begun"] = below(3)
			for range 2 { // asking changes nothing
				s.start("has not begun",
					func(*Fiber) (any, error) { return nil, nil })
				all := s.sched.Inspect().DumpFibers()
				for name, site := range at {
					if !strings.Contains(all, fmt.Sprintf("%q at %s ", name, site)) {
						t.Errorf("%q is not at %s", name, site)
					}
				}
			}
			return f.Sleep(1)
		})
		s.runFor(8)
		s.sched.Steps().KillAll(nil)
		s.run()
	})
}

func TestMisuseNamesTheLineOfTheCall(t *testing.T) {
	each(t, func(s *testRun) {
		closed, m, rw := wait.NewChan[int](0), wait.NewMutex(wait.Poison), wait.NewRWMutex(wait.Poison)
		sem, once, poisoned := wait.NewSemaphore(1), wait.NewOnce(wait.Poison), wait.NewMutex(wait.Poison)
		s.spawn("dies", func(f *Fiber) { s.ok(f.Lock(poisoned)) })
		s.run()
		s.spawn("guilty", func(f *Fiber) {
			s.ok(Close(f, closed))
			s.ok(f.Lock(m))
			s.is("a run that fails", f.Do(once, func() error { return errStop }), errStop)
			var group Group
			s.ok(group.Add(f, f.Task()))
			first := below(2)
			for i, err := range []error{
				Close(f, closed),
				Close[int](f, nil),
				Send(f, closed, 1),
				f.Lock(m),
				f.Lock(poisoned),
				f.Unlock(rw),
				f.RUnlock(rw),
				f.Acquire(sem, 2),
				f.Release(sem, 1),
				f.Wait(wait.NewCond(wait.NewMutex(wait.Poison))),
				f.Do(once, nil),
				errorOf(f.Join(f.Task())),
				errorOf(group.Wait(f, wait.All)),
			} {
				var refused *wait.Error
				if !errors.As(err, &refused) || refused.Site != after(first, i) || !strings.HasSuffix(err.Error(), " at "+refused.Site) {
					t.Errorf("want one of %s: %v", after(first, i), err)
				}
			}
		})
		s.run()
	})
}

// errorOf is the error of a call that has a result, too.
func errorOf[V any](_ V, err error) error { return err }

// after is the position some lines below another.
func after(site string, lines int) string {
	file, n, _ := strings.Cut(site, ":")
	first, _ := strconv.Atoi(n)
	return fmt.Sprintf("%s:%d", file, first+lines)
}

func TestAHostThatKnowsTheLinesOfItsGuestsTellsThoseInstead(t *testing.T) {
	cfg := Config{}
	cfg.Site = func(fiber.RegularID) string { return "guest.lua:1" }
	eachWith(t, cfg, func(s *testRun) {
		s.spawn("guest", func(f *Fiber) { _ = f.forever(fiber.Never) })
		s.is("site", s.deadlock().Fibers[0].Site, "guest.lua:1")
		s.spawn("guilty", func(f *Fiber) { s.says("misuse", f.Unlock(new(wait.Mutex)), "at guest.lua:1") })
		s.deadlock()
	})
}

// A fiber under a pump is on the stack that asks, and from a coroutine in a foreign callback
// no other one may be entered.
func TestWhereNoOtherStackCanBeEnteredAReportSaysNoLine(t *testing.T) {
	eachWith(t, Config{Nesting: true}, func(s *testRun) {
		s.spawn("nests", func(f *Fiber) { _, _ = f.Call(func(f *Fiber) (any, error) { return nil, f.Sleep(2) }) })
		s.spawn("asks", func(f *Fiber) {
			s.ok(f.Sleep(1))
			s.is("site", s.Report().Fibers[0].Site, "")
		})
		s.run()
	})
	each(t, func(s *testRun) {
		where := below(1)
		waits := func(f *Fiber) { _ = f.Sleep(1) }
		s.spawn("waits", waits)
		s.spawn("asks", func(f *Fiber) {
			want := map[Backing]string{Goroutine: where}
			s.ok(f.Foreign(func() error { s.is("site", s.Report().Fibers[0].Site, want[s.backing]); return nil }))
		})
		s.run()
	})
}
