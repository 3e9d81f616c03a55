package fibers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/scheduler"
)

func TestAValueGoesFromOneInstanceToAnother(t *testing.T) {
	guest(t, `
		func run () export
			i32.const 0 call chan i32.const 1 call expect
			i32.const 64 i32.const 5 i64.const 1 call spawn i32.const 1 call expect
			i32.const 1 i64.const 42 i64.const -1 call send i32.const 0 call expect
			i32.const 1 i32.const 8 i64.const -1 call join i32.const 0 call expect
			i64.const 43 call got
		end
		func child (i64) (i64) export
			local.get 0 i32.wrap_i64 i32.const 8 i64.const -1 call recv i32.const 0 call expect
			i64.const 42 call got
			i64.const 43
		end`).well(t)
}

func TestAClosedChannelIsDrainedAndThenTold(t *testing.T) {
	guest(t, `func run () export
		i32.const 2 call chan drop
		i32.const 1 i64.const 7 i64.const -1 call send i32.const 0 call expect
		i32.const 1 call close i32.const 0 call expect
		i32.const 1 call close i32.const 1 call expect
		i32.const 1 i64.const 8 i64.const -1 call send i32.const 1 call expect
		i32.const 1 i32.const 8 i64.const -1 call recv i32.const 0 call expect
		i64.const 7 call got
		i32.const 1 i32.const 8 i64.const -1 call recv i32.const 1 call expect
		i64.const 7 call got
	end`).well(t)
}

func TestTimeoutsAndSleepsTakeTheTimeTheySay(t *testing.T) {
	e := guest(t, `
		func run () export
			i32.const 0 call chan drop
			i64.const 1000 call sleep
			i32.const 1 i32.const 8 i64.const 200 call recv i32.const 2 call expect
			i32.const 1 i64.const 8 i64.const 30 call send i32.const 2 call expect
			i32.const 1 i64.const 8 i64.const 0 call send i32.const 2 call expect
			i32.const 64 i32.const 5 i64.const 0 call spawn drop
			i32.const 1 i32.const 8 i64.const 4 call join i32.const 2 call expect
			call now i64.const 1234 i64.ne if unreachable end
		end
		func child (i64) export i64.const 1000 call sleep end`)
	e.well(t)
	require.EqualValues(t, 1234, e.now)
}

func TestAFunctionWithoutAResultGivesZero(t *testing.T) {
	guest(t, `
		func run () export
			i32.const 8 i64.const 99 i64.store
			i32.const 64 i32.const 5 i64.const 0 call spawn i32.const 8 i64.const -1 call join i32.const 0 call expect
			i64.const 0 call got
		end
		func child (i64) export call yield end`).well(t)
}

func TestAFailureIsTheirsWhoJoinAndIsToldIfNobodyDoes(t *testing.T) {
	const failing = `func child (i64) export local.get 0 i64.eqz if unreachable end end `
	guest(t, failing+`func run () export
		i32.const 64 i32.const 5 i64.const 0 call spawn i32.const 8 i64.const -1 call join i32.const 1 call expect
	end`).well(t)
	e := guest(t, failing+`func run () export
		i32.const 64 i32.const 5 i64.const 0 call spawn drop
		i32.const 64 i32.const 5 i64.const 1 call spawn drop
		i64.const 1 call sleep
	end`)
	require.NoError(t, e.err)
	require.Equal(t, []string{`fiber f1.1 "child" failed and nothing joined it: p.wasm: child: trap: unreachable`}, e.unobserved)
}

func TestFibersThatAreLeftWhenMainReturnsAreKilledWithoutAWord(t *testing.T) {
	guest(t, `
		func run () export
			i32.const 0 call chan drop
			i32.const 64 i32.const 5 i64.const 0 call spawn drop
			i32.const 64 i32.const 5 i64.const 1 call spawn drop
			call yield
			i32.const 64 i32.const 5 i64.const 1 call spawn drop
		end
		func child (i64) export
			local.get 0 i64.eqz if i32.const 1 i32.const 8 i64.const -1 call recv drop end
			loop br 0 end
		end`).well(t)
}

func TestExitEndsTheProgramWithItsStatus(t *testing.T) {
	e := guest(t, `
		func run () export
			i32.const 64 i32.const 5 i64.const 0 call spawn drop call yield
			i32.const 41 call exit
		end
		func child (i64) export loop br 0 end end`)
	require.NoError(t, e.err)
	require.EqualValues(t, 41, e.status)
}

func TestADeadlockNamesEveryFiberItsFunctionsAndItsChannel(t *testing.T) {
	e := guest(t, `
		func run () export
			i32.const 0 call chan drop
			i32.const 64 i32.const 5 i64.const 0 call spawn drop
			i32.const 1 i32.const 8 i64.const -1 call join drop
		end
		func child (i64) export i32.const 1 i32.const 8 i64.const -1 call recv drop end`)
	require.ErrorAs(t, e.err, new(*scheduler.DeadlockError))
	require.ErrorContains(t, e.err, `f0.1 "main" at p.wasm: run → selvage.join waits on the end of f1.1`)
	require.ErrorContains(t, e.err, `f1.1 "child" at p.wasm: child → selvage.recv waits on chan "1"`)
}

// mistakes of guests, and what each is told.
var mistakes = map[string]string{
	"i32.const 9 call close drop":                          "9 is no channel",
	"i32.const 0 i64.const 1 i64.const -1 call send drop":  "0 is no channel",
	"i32.const -1 i32.const 8 i64.const -1 call recv drop": "-1 is no channel",
	"i32.const 0 i32.const 8 i64.const -1 call join drop":  "0 is no task",
	"i32.const -1 call chan drop":                          "capacity -1: want 0 to 1073741824",
	"i64.const -1 call sleep":                              "-1e-09 s is negative",
	"i64.const 0x7fffffffffffffff call sleep":              "too long",
	"i32.const -1 i32.const 5 i64.const 0 call spawn drop": "name at 0xffffffff: trap: out of bounds memory access",
	"i32.const 64 i32.const 4 i64.const 0 call spawn drop": `"chil": wasm: no such exported function`,
	"i32.const 64 i32.const 5 i64.const 0 call spawn drop": `"child": want one parameter, an i64, and at most one result, an i64`,
	"i32.const 1 call chan i64.const 1 i64.const 0 call send drop i32.const 1 i32.const 0xffff i64.const 0 call recv drop": "address 0xffff: trap: out of bounds memory access",
}

func TestAMistakeEndsTheFiberWithAnErrorThatNamesIt(t *testing.T) {
	for statement, message := range mistakes {
		e := guest(t, "func child (i32) export end func run () export "+statement+" end")
		require.ErrorAs(t, e.err, new(*wasm.CallError), statement)
		require.ErrorContains(t, e.err, "p.wasm: run: ", statement)
		require.ErrorContains(t, e.err, message, statement)
	}
}

func TestMoreFibersThanAllowedAreAnError(t *testing.T) {
	var cfg fibers.Config
	cfg.Wasm.Runtime.MaxFibers = 10
	e := play(t, cfg, assemble(`
		func run () export loop i32.const 64 i32.const 5 i64.const 0 call spawn drop br 0 end end
		func child (i64) export i64.const 1 call sleep end`))
	require.ErrorIs(t, e.err, scheduler.ErrTooManyFibers)
}

func TestAModuleWithNothingToBeginWithIsAnError(t *testing.T) {
	require.ErrorIs(t, guest(t, "").err, wasm.ErrNoFunction)
}

func TestAThousandSpawnedInstancesWaitAtOnce(t *testing.T) {
	e := play(t, fibers.Config{}, assemble(`
		func run () export
			locals i32 i32
			i32.const 0 call chan local.set 0
			i32.const 1000 local.set 1
			loop
				i32.const 64 i32.const 5 local.get 0 i64.extend_i32_u call spawn drop
				local.get 1 i32.const 1 i32.sub local.tee 1 br_if 0
			end
			i64.const 1 call sleep
			local.get 0 call close drop
			i32.const 1 local.set 1
			loop
				local.get 1 i32.const 8 i64.const -1 call join i32.const 0 call expect
				local.get 1 i32.const 1 i32.add local.tee 1 i32.const 1001 i32.lt_u br_if 0
			end
		end
		func child (i64) (i64) export
			local.get 0 i32.wrap_i64 i32.const 8 i64.const -1 call recv i32.const 1 call expect
			i64.const 0
		end`))
	e.well(t)
	require.Equal(t, int64(1), e.now)
}

func TestANameThatIsAllOfAMemoryIsNotQuoted(t *testing.T) {
	e := guest(t, `func run () export
		i32.const 0 i32.const 65536 i64.const 0 call spawn drop
	end`)
	require.ErrorIs(t, e.err, wasm.ErrNoFunction)
	require.Less(t, len(e.err.Error()), 1000)
	e = guest(t, `func run () export
		i32.const 1 memory.grow drop
		i32.const 0 i32.const 131072 i64.const 0 call spawn drop
	end`)
	require.ErrorIs(t, e.err, wasm.ErrNoFunction)
	require.Less(t, len(e.err.Error()), 1000)
}
