package wasm_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

type (
	contextKey struct{}
	anotherKey struct{}
)

const asker = `
	import "env" "keep" the_keep (i64) (i64)
	func keep () (i64) export i64.const 7 call the_keep end`

// contexts plays a fiber whose host function keeps its context, both of a function of this package
// and of one of wazero's builder, and then sleeps; end ends the fiber meanwhile.
func contexts(t *testing.T, ctx context.Context, end func(s *stage, task *stackful.Task), check func(own context.Context, err error)) {
	for name, define := range map[string]func(s *stage, keep func(context.Context)){
		"a function": func(s *stage, keep func(context.Context)) {
			s.define(map[string]func(*wasm.Caller, int64) (int64, error){
				"keep": func(c *wasm.Caller, n int64) (int64, error) { keep(c); return n, c.Fiber.Sleep(time.Second) },
			})
		},
		"a function of wazero": func(s *stage, keep func(context.Context)) {
			_, err := s.Engine().NewHostModuleBuilder("env").NewFunctionBuilder().WithGoModuleFunction(
				api.GoModuleFunc(func(ctx context.Context, _ api.Module, _ []uint64) {
					keep(ctx)
					if err := wasm.CallerOf(ctx).Fiber.Sleep(time.Second); err != nil {
						panic(err)
					}
				}), []api.ValueType{api.ValueTypeI64}, []api.ValueType{api.ValueTypeI64}).Export("keep").Instantiate(t.Context())
			require.NoError(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, wasm.Config{}, func(s *stage) {
				var own context.Context
				define(s, func(ctx context.Context) {
					require.NoError(t, ctx.Err())
					require.Equal(t, "the run's", ctx.Value(contextKey{}))
					require.NotNil(t, wasm.CallerOf(context.WithValue(ctx, anotherKey{}, 1)))
					own = ctx
				})
				task := s.call(s.compile("asker", asker), "keep")
				_, err := s.Fibers().Go("user", func(f *stackful.Fiber) (any, error) {
					err := f.Yield()
					end(s, task)
					return nil, err
				})
				require.NoError(t, err)
				err = s.Fibers().Run(ctx)
				if err == nil {
					_, err, _ = task.Result()
				}
				check(own, err)
			})
		})
	}
}

func TestHostFunctionsHaveTheContextOfTheirFiber(t *testing.T) {
	at := time.Now().Add(time.Hour)
	ctx, cancel := context.WithDeadline(context.WithValue(t.Context(), contextKey{}, "the run's"), at)
	defer cancel()
	leave := func(*stage, *stackful.Task) {}
	contexts(t, ctx, leave, func(own context.Context, err error) {
		require.NoError(t, err)
		deadline, ok := own.Deadline()
		require.True(t, ok && deadline.Equal(at))
		require.Equal(t, context.Canceled, own.Err())
	})
	cancelIt := func(s *stage, task *stackful.Task) {
		require.NoError(t, s.Fibers().Scheduler().Cancel(task.ID(), errStop))
	}
	contexts(t, ctx, cancelIt, func(own context.Context, err error) {
		for _, is := range []error{errStop, scheduler.ErrCancelled} {
			require.ErrorIs(t, context.Cause(own), is)
			require.ErrorIs(t, err, is)
		}
	})
	kill := func(s *stage, task *stackful.Task) {
		require.NoError(t, s.Fibers().Scheduler().Kill(task.ID(), errStop))
	}
	contexts(t, ctx, kill, func(own context.Context, err error) {
		for _, is := range []error{errStop, scheduler.ErrKilled} {
			require.ErrorIs(t, context.Cause(own), is)
			require.ErrorIs(t, err, is)
		}
	})
}

func TestTheEndOfTheRunEndsTheContextOfAHostFunction(t *testing.T) {
	each(t, wasm.Config{}, func(s *stage) {
		ctx, cancel := context.WithCancelCause(t.Context())
		s.define(map[string]func(*wasm.Caller, int64) (int64, error){
			"keep": func(c *wasm.Caller, n int64) (int64, error) {
				cancel(errStop)
				<-c.Done()
				require.Equal(t, errStop, context.Cause(c))
				return n, nil
			},
		})
		s.call(s.compile("asker", asker), "keep")
		require.ErrorIs(t, s.Fibers().Run(ctx), context.Canceled)
	})
}
