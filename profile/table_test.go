package profile

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	pprof "github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"
)

func TestAFullTableForgetsFibersFirstAndThenStacks(t *testing.T) {
	p := Start(Config{Steps: 1, MaxStacks: 2})
	defer p.Stop()
	s := p.NewSampler()
	take := func(fiber, function string) {
		require.True(t, s.Due())
		s.Take(Fiber{ID: fiber}, []Frame{{Function: function}})
	}
	take("f1", "a")
	take("f2", "a")
	take("f3", "a") // the table has two stacks
	take("f1", "a")
	take("f4", "b")
	take("f1", "c")
	take("f5", "d")
	got := map[string]int64{}
	for _, s := range p.Copy().Sample {
		got[fmt.Sprint(s.Location[0].Line[0].Function.Name, s.Label["fiber"])] = s.Value[1]
	}
	require.Equal(t, map[string]int64{"a[f1]": 2, "a[f2]": 1, "a[]": 1, "b[]": 1, "(other stacks)[]": 2}, got)
}

func TestTheTableIsBounded(t *testing.T) {
	p := Start(Config{Steps: 1, MaxStacks: 10})
	defer p.Stop()
	s := p.NewSampler()
	deep := make([]Frame, 3*MaxFrames)
	for i := range 1000 {
		s.Due()
		for k := range deep {
			deep[k] = Frame{Function: fmt.Sprintf("f%d", i), Line: k}
		}
		s.Take(Fiber{ID: fmt.Sprint(i)}, deep)
	}
	c := p.Copy()
	require.LessOrEqual(t, len(c.Sample), 21)
	require.LessOrEqual(t, len(c.Location), 10*placesPerStack+2)
	require.LessOrEqual(t, len(p.table.labels), 10)
	sum := int64(0)
	for _, s := range c.Sample {
		require.LessOrEqual(t, len(s.Location), MaxFrames)
		sum += s.Value[1]
	}
	require.Equal(t, int64(1000), sum, "no sample is lost")
}

func TestNamesOfProgramsAreBoundedToo(t *testing.T) {
	p := Start(Config{Steps: 1, MaxStacks: 10})
	defer p.Stop()
	s := p.NewSampler()
	long := strings.Repeat("é", 1<<16)
	for i := range 5 {
		stack := make([]Frame, MaxFrames)
		for k := range stack {
			stack[k] = Frame{Function: fmt.Sprint("f", i, long), File: "\xff" + long, Line: k}
		}
		s.Due()
		s.Take(Fiber{ID: "f1.1", Name: "\xff" + long}, stack)
	}
	c := p.Copy()
	require.Len(t, c.Sample, 2, "the first one, and others that cannot be told apart")
	require.Len(t, c.Location, 10*placesPerStack+1, "one stands for the others")
	var file bytes.Buffer
	require.NoError(t, c.Write(&file))
	require.Less(t, file.Len(), 1<<14)
	read, err := pprof.ParseData(file.Bytes())
	require.NoError(t, err)
	for _, f := range read.Function {
		require.True(t, utf8.ValidString(f.Name) && utf8.ValidString(f.Filename))
		require.LessOrEqual(t, len(f.Name), 2*maxName+20)
	}
	require.True(t, utf8.ValidString(read.Sample[0].Label["name"][0]))
}
