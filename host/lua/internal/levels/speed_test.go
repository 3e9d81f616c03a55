//go:build !race

package levels_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/levels"
)

// realPrograms are the programs of the Lua host's tests.
func realPrograms(tb testing.TB) []string {
	files, err := filepath.Glob("../../testdata/conformance/*.lua")
	require.NoError(tb, err)
	require.NotEmpty(tb, files)
	var sources []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(tb, err)
		sources = append(sources, string(source))
	}
	return sources
}

// share is the time to check all programs as a part of the time to compile them.
func share(tb testing.TB, L *glua.LState, programs []string) float64 {
	start := time.Now()
	for _, p := range programs {
		require.NoError(tb, levels.Check(p, "program"))
	}
	checked := time.Since(start)
	for _, p := range programs {
		_, err := L.Load(strings.NewReader(p), "program")
		require.NoError(tb, err)
	}
	return float64(checked) / float64(time.Since(start)-checked)
}

// On a quiet machine it takes a twenty-fifth; more if other processes use the caches.
func TestCheckingTakesLessThanATenthOfCompiling(t *testing.T) {
	L, programs := glua.NewState(), realPrograms(t)
	defer L.Close()
	var shares []float64
	for range 51 {
		shares = append(shares, share(t, L, programs))
	}
	slices.Sort(shares)
	t.Logf("median %.3f", shares[25])
	require.Less(t, shares[25], 0.1)
}

func BenchmarkCheck(b *testing.B) {
	program := strings.Join(realPrograms(b), "\n")
	b.SetBytes(int64(len(program)))
	b.ReportAllocs()
	for b.Loop() {
		_ = levels.Check(program, "program")
	}
}
