package scope_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

var errFirst = errors.New("the first failure")

// explored are programs whose scopes are explored under all schedules. Each function gets the fiber
// that opens the scope, and returns an error if a promise is broken.
var explored = map[string]func(f *stackful.Fiber) error{
	"all have ended when the scope has": func(f *stackful.Fiber) error {
		alive := 1
		_, err := f.Scope(scope.Options{}, func(f *stackful.Fiber, s *stackful.Scope) (any, error) {
			for range 2 {
				alive++
				if _, err := s.Go(f, "", func(f *stackful.Fiber) (any, error) {
					defer func() { alive-- }()
					return nil, f.Yield()
				}); err != nil {
					return nil, err
				}
			}
			alive--
			return nil, nil
		})
		if alive != 0 {
			return errors.New("a fiber has outlived its scope")
		}
		return err
	},
	"a failure cancels the others": func(f *stackful.Fiber) error {
		_, err := f.Scope(scope.Options{}, func(f *stackful.Fiber, s *stackful.Scope) (any, error) {
			_, _ = s.Go(f, "waits", func(f *stackful.Fiber) (any, error) {
				_, _, err := stackful.Recv(f, wait.NewChan[int](0))
				return nil, err
			})
			_, err := s.Go(f, "fails", func(f *stackful.Fiber) (any, error) { return nil, errFirst })
			return nil, err
		})
		if !errors.Is(err, errFirst) {
			return errors.Join(errors.New("the scope has not failed by its first failure"), err)
		}
		return nil
	},
}

func TestScopesKeepTheirPromisesUnderEverySchedule(t *testing.T) {
	for name, program := range explored {
		t.Run(name, func(t *testing.T) {
			r := explore.TestWith(t, explore.Options{Strategy: explore.Depth(explore.Unbounded), Runs: 100_000}, func(rt *stackful.Runtime) {
				rt.Go("owner", func(f *stackful.Fiber) (any, error) { return nil, program(f) })
			})
			require.Equal(t, "all schedules", r.Complete)
			t.Log(r.Runs, "schedules")
		})
	}
}
