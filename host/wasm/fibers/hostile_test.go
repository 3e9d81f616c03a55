package fibers_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/sys"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/sandbox"
)

// hostile are arguments at the edges: of a page of memory, of 32 and 64 bits, and counts that are
// small after a multiplication by the size of an element.
var hostile = []int64{
	0, 1, 2, 3, 4, 5, 7, 8, 16, 24, 32, 48, 64, 96, 0x1000, 0xfff8, 0xffff, 0x10000, 0x10001,
	0x02aaaaab, 0x05555555, 0x05555556, 0x0aaaaaab, 0x08000000, 0x08000001, 0x10000001, 0x20000000, 0x20000001,
	0x40000001, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 48, 1<<32 - 32, 1<<32 - 8, 1<<32 - 1, 1 << 32, 1<<63 - 1, -1 << 63, -1, -2, -48,
}

// innocent is true of an error that says what the program did, and nothing of how the host is made.
func innocent(err error) bool {
	var panicked *wasm.HostPanic
	for _, word := range []string{"runtime error", "goroutine ", "recovered", "panic", ".go:"} {
		if err != nil && strings.Contains(err.Error(), word) {
			return false
		}
	}
	return !errors.As(err, &panicked)
}

func TestNoArgumentOfWASIPanics(t *testing.T) {
	for seed := range uint64(long.Cases(3, 30)) {
		random := rand.New(rand.NewPCG(seed, 21))
		for _, name := range wasiNames(t) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), []byte("text"), 0o644))
			access := sandbox.Access{Stdin: strings.NewReader("input"), Env: []string{"A=B"}, Dirs: []sandbox.Dir{{Host: dir, Guest: "/d"}}}
			withWASI(t, access, 1, func(g *wasiGuest) {
				g.open(t, "f", 0, mayRead|mayWrite, 0)
				for range 100 {
					g.scribble(random)
					args := make([]int64, len(g.functions[name].ParamTypes()))
					for i := range args {
						args[i] = hostile[random.IntN(len(hostile))]
					}
					_, err := g.call(name, args...)
					require.True(t, innocent(err), "%s%x: %v", name, args, err)
				}
			})
		}
	}
}

// wasiNames are the functions that return.
func wasiNames(t *testing.T) (names []string) {
	withWASI(t, sandbox.Access{}, 1, func(g *wasiGuest) { names = slices.Sorted(maps.Keys(g.functions)) })
	return slices.DeleteFunc(names, func(name string) bool { return name == "proc_exit" })
}

// scribble fills the beginning and the end of the memory with small and with hostile numbers, which
// serve as vectors, subscriptions and names.
func (g *wasiGuest) scribble(random *rand.Rand) {
	for _, from := range []uint32{0, 0x1000, 0x10000 - 0x100} {
		for at := from; at < from+0x100; at += 4 {
			n := random.Uint32N(5)
			if random.IntN(4) == 0 {
				n = uint32(hostile[random.IntN(len(hostile))])
			}
			g.memory().WriteUint32Le(at, n)
		}
	}
	if random.IntN(2) == 0 {
		g.memory().WriteString(8, "f")
	}
}

const (
	errnoBadAddress = 21
	errnoInvalid    = 28
)

// The sizes of 48 and of 32 bytes for each subscription are computed with 32 bits.
func TestAPollOfMoreThanTheMemoryHoldsIsAnErrorNumber(t *testing.T) {
	withWASI(t, sandbox.Access{}, 1, func(g *wasiGuest) {
		for _, c := range []struct{ in, out, count, events, want int64 }{
			{0, 0, 0, 0, errnoInvalid},
			{0, 0, 0x05555556, 0, errnoBadAddress},
			{0, 0, 0x08000000, 0, errnoBadAddress},
			{0, 0, 0x08000001, 0, errnoBadAddress},
			{0, 0, -1, 0, errnoBadAddress},
			{-1, 0, 1, 0, errnoBadAddress},
			{0, -1, 1, 0, errnoBadAddress},
			{0x10000 - 47, 0, 1, 0, errnoBadAddress},
			{0, 0x10000 - 31, 1, 0, errnoBadAddress},
			{0, 4096, 1, 0x10000 - 3, errnoBadAddress},
			{0x10000 - 48, 0x10000 - 32, 1, 0, 0},
		} {
			errno, err := g.call("poll_oneoff", c.in, c.out, c.count, c.events)
			require.NoError(t, err, c)
			require.EqualValues(t, c.want, errno, c)
		}
	})
}

// The engine copies names, and visits subscriptions and vectors, without a poll.
func TestLengthsThatWouldHoldAllFibersAreErrorNumbers(t *testing.T) {
	const tooLong, length, pages = 37, 1 << 20, 64
	withWASI(t, sandbox.Access{Dirs: []sandbox.Dir{{Host: t.TempDir(), Guest: "/d"}}}, pages, func(g *wasiGuest) {
		for name, calls := range map[string][][]int64{
			"path_create_directory":   {{3, 0, length}},
			"path_filestat_get":       {{3, 0, 0, length, 0}},
			"path_filestat_set_times": {{3, 0, 0, length, 0, 0, 0}},
			"path_link":               {{3, 0, 0, length, 3, 0, 1}, {3, 0, 0, 1, 3, 0, length}},
			"path_open":               {{3, 0, 0, length, 0, 0, 0, 0, 0}},
			"path_readlink":           {{3, 0, length, 0, 0, 0}},
			"path_remove_directory":   {{3, 0, length}},
			"path_rename":             {{3, 0, length, 3, 0, 1}, {3, 0, 1, 3, 0, length}},
			"path_symlink":            {{0, length, 3, 0, 1}, {0, 1, 3, 0, length}},
			"path_unlink_file":        {{3, 0, length}},
		} {
			for _, args := range calls {
				errno, err := g.call(name, args...)
				require.NoError(t, err)
				require.EqualValues(t, tooLong, errno, "%s %v", name, args)
			}
		}
		for name, args := range map[string][]int64{
			"poll_oneoff": {0, 0, 4097, 0}, "fd_write": {1, 0, 1025, 0}, "fd_read": {0, 0, 1025, 0}, "fd_pread": {4, 0, 1025, 0, 0}, "fd_pwrite": {4, 0, 1025, 0, 0},
		} {
			errno, err := g.call(name, args...)
			require.NoError(t, err)
			require.EqualValues(t, errnoInvalid, errno, name)
		}
		for name := range g.functions { // none that takes a name is left out
			require.True(t, !strings.HasPrefix(name, "path_") || slices.Contains(pathFunctions, name), name)
		}
	})
}

var pathFunctions = []string{
	"path_create_directory", "path_filestat_get", "path_filestat_set_times", "path_link", "path_open", "path_readlink",
	"path_remove_directory", "path_rename", "path_symlink", "path_unlink_file",
}

// The engine's table of files has an entry for each number up to the largest.
func TestAFileIsNotRenumberedToAHugeNumber(t *testing.T) {
	dir := t.TempDir()
	withWASI(t, sandbox.Access{Dirs: []sandbox.Dir{{Host: dir, Guest: "/d"}}}, 1, func(g *wasiGuest) {
		fd := g.open(t, "f", create, mayWrite, 0)
		for _, to := range []int64{1 << 16, 1 << 20, 1 << 24, 1<<31 - 1, 1 << 31, -1} {
			errno, err := g.call("fd_renumber", fd, to)
			require.NoError(t, err)
			require.EqualValues(t, errnoBadFile, errno, to)
		}
		g.must(t, "fd_renumber", fd, 1<<16-1)
		g.must(t, "fd_sync", 1<<16-1)
	})
}

func TestAModuleWithoutAMemoryHasNoPointers(t *testing.T) {
	withWASI(t, sandbox.Access{}, 0, func(g *wasiGuest) {
		for _, name := range wasiNames(t) {
			errno, err := g.call(name, make([]int64, len(g.functions[name].ParamTypes()))...)
			require.NoError(t, err)
			if name == "sched_yield" {
				require.Zero(t, errno)
			} else {
				require.EqualValues(t, errnoBadAddress, errno, name)
			}
		}
		_, err := g.call("proc_exit", 7)
		var exit *sys.ExitError
		require.ErrorAs(t, err, &exit)
	})
}

func TestTheLibraryNamesTheMemoryThatAModuleDoesNotHave(t *testing.T) {
	for body, want := range map[string]string{
		"i32.const 0 i32.const 0 i64.const 0 call spawn drop":                                                             "a module without a memory cannot name a function",
		"i32.const 1 call chan i64.const 1 i64.const 0 call send drop i32.const 1 i32.const 0 i64.const 0 call recv drop": "address 0x0: trap: out of bounds memory access",
	} {
		text := strings.NewReplacer("memory 1\n", "", `data 64 "child"`, "", "func got (i64)\n\t\ti32.const 8 i64.load local.get 0 i64.ne if unreachable end\n\tend", "",
			`import "wasi_snapshot_preview1" "proc_exit" exit (i32)`, "").Replace(library)
		e := play(t, fibers.Config{}, asm.Assemble(text+"func run () export "+body+" end"))
		require.ErrorContains(t, e.err, want)
		require.True(t, innocent(e.err), e.err)
	}
}
