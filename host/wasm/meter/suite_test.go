package meter_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"
)

// script is a test of the specification's suite, as wast2json writes it.
type script struct {
	Commands []command
}

type command struct {
	Type, Name, Filename, As string
	Line                     int
	Action                   struct {
		Type, Field, Module string
		Args                []value
	}
}

type value struct {
	Type     string
	LaneType string `json:"lane_type"`
	Value    any
}

// bits are the value as wazero takes it.
func (v value) bits(t *testing.T) []uint64 {
	lanes, ok := v.Value.([]any)
	if !ok {
		return []uint64{number(t, v.Value)}
	}
	packed, width := make([]uint64, 2), 128/len(lanes)
	for i, lane := range lanes {
		bit := i * width
		n := number(t, lane)
		if width < 64 {
			n &= 1<<width - 1
		}
		packed[bit/64] |= n << (bit % 64)
	}
	return packed
}

func number(t *testing.T, v any) uint64 {
	text, _ := v.(string)
	if text == "null" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		var signed int64
		signed, err = strconv.ParseInt(text, 10, 64)
		n = uint64(signed)
	}
	require.NoError(t, err)
	return n
}

// performance is what a world makes of a script.
type performance struct {
	t       *testing.T
	w       *world
	dir     string
	modules map[string]api.Module
	last    api.Module
	log     []string
}

func play(t *testing.T, w *world, dir string, s script) []string {
	p := &performance{t: t, w: w, dir: dir, modules: map[string]api.Module{}}
	spectest, err := os.ReadFile(filepath.Join(dir, "..", "..", "testdata", "spectest.wasm"))
	require.NoError(t, err)
	_, err = w.load(spectest, "spectest")
	require.NoError(t, err)
	for i, c := range s.Commands {
		registered := ""
		if i+1 < len(s.Commands) && s.Commands[i+1].Type == "register" {
			registered = s.Commands[i+1].As
		}
		if outcome := p.perform(c, registered); outcome != "" {
			p.log = append(p.log, fmt.Sprintf("line %d: %s", c.Line, outcome))
		}
	}
	return p.log
}

func (p *performance) perform(c command, registered string) string {
	switch {
	case c.Type == "module" && registered != "" && p.w.Module(registered) != nil:
		require.NoError(p.t, p.w.Module(registered).Close(context.Background()))
		fallthrough
	case c.Type == "module":
		p.last = nil
		m, err := p.open(c, registered)
		p.last, p.modules[c.Name] = m, m
		return outcome(err)
	case c.Type == "register":
		return ""
	case strings.HasSuffix(c.Filename, ".wasm"): // that are invalid, malformed, cannot be linked or started
		_, err := p.open(c, "")
		return fmt.Sprint("refused: ", err != nil)
	case c.Action.Type == "get":
		return fmt.Sprint(p.module(c).ExportedGlobal(c.Action.Field).Get())
	case c.Action.Type == "invoke":
		return p.invoke(c)
	}
	return "" // a text that is malformed
}

func (p *performance) open(c command, name string) (api.Module, error) {
	module, err := os.ReadFile(filepath.Join(p.dir, c.Filename))
	require.NoError(p.t, err)
	return p.w.load(module, name)
}

func (p *performance) module(c command) api.Module {
	if c.Action.Module != "" {
		return p.modules[c.Action.Module]
	}
	return p.last
}

func (p *performance) invoke(c command) string {
	fn := p.module(c).ExportedFunction(c.Action.Field)
	var args []uint64
	for _, arg := range c.Action.Args {
		args = append(args, arg.bits(p.t)...)
	}
	results, err := fn.Call(context.Background(), args...)
	if err != nil {
		return outcome(err)
	}
	for i, kind := range fn.Definition().ResultTypes() {
		if kind == 0x70 && results[i] != 0 {
			results[i] = 1 // the address of a function
		}
	}
	return fmt.Sprint(results)
}

// outcome is an error without its stack trace.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// The suite has 1,700 valid modules, whose functions are called 48,000 times, and 2,900
// invalid ones. Every command must end as it does without metering.
func TestTheSpecificationsSuiteMeansTheSameWithMetering(t *testing.T) {
	root := suite(t)
	commands, preempts := 0, 0
	for _, folder := range []string{"v2", "tail-call", "extended-const"} {
		dir := filepath.Join(root, folder, "testdata")
		paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
		require.NoError(t, err)
		for _, path := range every(stride, paths) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			var s script
			require.NoError(t, json.Unmarshal(text, &s))
			plain := play(t, newWorld(t, unmetered), dir, s)
			metered := newWorld(t, 1)
			require.Equal(t, plain, play(t, metered, dir, s), path)
			commands += len(plain)
			preempts += metered.preempts
		}
	}
	require.Greater(t, commands, 50_000/stride/2)
	require.Greater(t, preempts, 100_000/stride/10)
}

// every is one in n of the paths.
func every(n int, paths []string) (some []string) {
	for i := 0; i < len(paths); i += n {
		some = append(some, paths[i])
	}
	return some
}
