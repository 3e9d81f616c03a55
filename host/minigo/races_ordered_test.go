package minigo

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo/internal/gen"
	"github.com/selvage-dev/selvage/internal/long"
)

// A watched program prints what it prints otherwise, and programs that are known to have no race have
// none: those of testdata, and random ones, whose goroutines share what is ordered only.
func TestOrderedProgramsHaveNoRaces(t *testing.T) {
	sources := map[string]string{}
	files, err := filepath.Glob("testdata/*/main.go")
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		sources[f] = string(text)
	}
	for i := range long.Cases(60, 1000) {
		p := gen.New(rand.New(rand.NewPCG(1, uint64(i))), 0)
		sources[p.Text()] = gen.Main(p)
	}
	for name, source := range sources {
		file := File{"main.go", []byte(source)}
		if _, err := Compile(file); err != nil {
			continue // what is refused has no races
		}
		want, wantErr := output(t, Compile, file, Config{})
		got, gotErr := output(t, CompileWatched, file, Config{Races: true})
		require.Equal(t, want, got, name)
		require.Equal(t, wantErr == nil, gotErr == nil, "%s: %v, %v", name, wantErr, gotErr)
		var race *RaceError
		require.NotErrorAs(t, gotErr, &race, name)
	}
}

func output(t *testing.T, compile func(...File) (*Program, error), f File, cfg Config) (string, error) {
	t.Helper()
	p, err := compile(f)
	require.NoError(t, err)
	var out bytes.Buffer
	cfg.Access.Stdout = &out
	cfg.Args = []string{"main", "0"}
	h, err := New(p, cfg)
	require.NoError(t, err)
	err = h.Run(t.Context())
	return out.String(), err
}
