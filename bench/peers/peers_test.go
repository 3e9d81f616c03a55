package peers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pretend makes this program a peer that answers as it is told.
const pretend = "SELVAGE_PRETEND_PEER"

func TestMain(m *testing.M) {
	answer, pretends := os.LookupEnv(pretend)
	if !pretends {
		os.Exit(m.Run())
	}
	switch answer {
	case "fail":
		fmt.Fprintln(os.Stderr, "no such work")
		os.Exit(3)
	case "hang":
		ended := make(chan os.Signal, 1)
		signal.Notify(ended)
		<-ended
	}
	asked := os.Args[len(os.Args)-2:]
	fmt.Println(strings.NewReplacer("WORK", asked[0], "N", asked[1]).Replace(answer))
}

// peer is one that answers so; WORK and N stand for what it is asked for.
func peer(t *testing.T, answer string) *Peer {
	t.Setenv(pretend, answer)
	self, err := os.Executable()
	require.NoError(t, err)
	return New("pretended 1.0", self)
}

func TestAPeerIsAskedForAWorkAndANumberAndTellsWhatOneTook(t *testing.T) {
	m, err := peer(t, `{"id":"WORK","operations":N,"ns":2.5}`).Measure(t.Context(), "ring-503", 4000)
	require.NoError(t, err)
	assert.Equal(t, Measurement{"ring-503", 4000, 2.5}, m)
	assert.Equal(t, 10*time.Microsecond, m.Took())
}

func TestWhatIsNotAMeasurementOfWhatWasAskedForIsRefused(t *testing.T) {
	for answer, want := range map[string]string{
		"":                                    "no line of JSON",
		"Segmentation fault":                  "no line of JSON",
		`{"id":"WORK","operations":N`:         "no line of JSON",
		`{"id":"WORK","operations":N,"s":1}`:  "unknown field",
		`{"id":"WORK","operations":N,"ns":0}`: "took 0 ns",
		`{"id":"WORK","operations":N,"ns":1}{"id":"WORK","operations":N,"ns":1}`: "more than one line",
		`{"id":"skynet","operations":N,"ns":1}`:                                  "did skynet 8 times",
		`{"id":"WORK","operations":7,"ns":1}`:                                    "did yield-8 7 times",
		"fail":                                                                   "exit status 3: no such work",
	} {
		_, err := peer(t, answer).Measure(t.Context(), "yield-8", 8)
		assert.ErrorContains(t, err, want, answer)
		var broken *ProgramError
		assert.ErrorAs(t, err, &broken, answer)
	}
}

func TestAPeerThatHangsIsEndedWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := peer(t, "hang").Measure(ctx, "yield-8", 8)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

// Whether a runtime is installed or not, nothing but its absence is an error.
func TestARuntimeThatIsNotInstalledIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, k := range All() {
		if k.Name == "tokio" { // by its place, not by PATH
			continue
		}
		_, err := k.Start(t.Context(), t.TempDir())
		var missing *MissingError
		require.ErrorAs(t, err, &missing, k.Name)
		assert.ErrorContains(t, err, "make peers installs it")
	}
	assert.Error(t, need("a command that nobody has"))
}

// A program has, by its name, every work that its kind promises.
func TestEveryProgramKnowsItsWorks(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, unpack(dir))
	files := map[string]string{
		"Lua 5.4": "lua/peer.lua", "LuaJIT": "lua/peer.lua", "Erlang": "erlang/contender.erl", "tokio": "tokio/src/main.rs",
	}
	for _, k := range All() {
		text, err := os.ReadFile(filepath.Join(dir, files[k.Name]))
		require.NoError(t, err)
		for _, work := range k.Works {
			assert.Contains(t, string(text), `"`+work+`"`, k.Name)
		}
	}
}

// What is unpacked a second time keeps the date by which cargo knows it.
func TestUnpackingAgainChangesOnlyWhatDiffers(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, unpack(dir))
	long := time.Unix(1, 0)
	same, other := filepath.Join(dir, "tokio", "src", "main.rs"), filepath.Join(dir, "lua", "peer.lua")
	require.NoError(t, os.WriteFile(other, []byte("old"), 0o600))
	require.NoError(t, errors.Join(os.Chtimes(same, long, long), os.Chtimes(other, long, long)))
	require.NoError(t, unpack(dir))
	for file, kept := range map[string]bool{same: true, other: false} {
		info, err := os.Stat(file)
		require.NoError(t, err)
		assert.Equal(t, kept, info.ModTime().Equal(long), file)
	}
}
