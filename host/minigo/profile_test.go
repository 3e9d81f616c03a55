package minigo_test

import (
	"fmt"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/profile"
)

// sampled runs a program with a sample for each call and each jump back.
func sampled(t *testing.T, cfg minigo.Config, program string) *pprof.Profile {
	t.Helper()
	p := profile.Start(profile.Config{Steps: 1})
	defer p.Stop()
	compiled, err := minigo.Compile(minigo.File{Name: "p.go", Text: []byte(program)})
	require.NoError(t, err)
	cfg.Profile = p
	h, err := minigo.New(compiled, cfg)
	require.NoError(t, err)
	defer h.Close()
	require.NoError(t, h.Run(t.Context()))
	c := p.Copy()
	require.NoError(t, c.CheckValid())
	return c
}

// stacks are the steps of each stack, as "function:line" from the innermost call outwards. Functions of the
// library have no line.
func stacks(p *pprof.Profile) map[string]int64 {
	all := map[string]int64{}
	for _, s := range p.Sample {
		var calls []string
		for _, l := range s.Location {
			call := l.Line[0].Function.Name
			if strings.HasPrefix(call, "main.") {
				call += fmt.Sprint(":", l.Line[0].Line)
			}
			calls = append(calls, call)
		}
		all[strings.Join(calls, " < ")] += s.Value[1]
	}
	return all
}

func TestAProfileHasTheCallsAndJumpsBackOfEachLine(t *testing.T) {
	got := stacks(sampled(t, minigo.Config{}, `package main

type account struct{ sum int }

func (a *account) add(n int) {
	for i := 0; i < n; i++ {
		a.sum += i
	}
}

func twice(f func(int)) {
	f(100)
	f(100)
}

func main() {
	a := &account{}
	a.add(50)
	twice(a.add)
	twice(func(n int) {
		for n > 0 {
			n--
		}
	})
}
`))
	require.Equal(t, map[string]int64{
		"main.init.0:0": 1, "main.main:18": 1, "main.main:19": 1, "main.main:20": 1,
		"main.(*account).add:6 < main.main:18":                 49,
		"main.twice:12 < main.main:19":                         2, // a method value calls the method
		"main.twice:13 < main.main:19":                         2,
		"main.(*account).add:6 < main.twice:12 < main.main:19": 99,
		"main.(*account).add:6 < main.twice:13 < main.main:19": 99,
		"main.twice:12 < main.main:20":                         1,
		"main.twice:13 < main.main:20":                         1,
		"main.main.func1:21 < main.twice:12 < main.main:20":    99,
		"main.main.func1:21 < main.twice:13 < main.main:20":    99,
	}, got)
}
