package profile

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	pprof "github.com/google/pprof/profile"
)

// Write writes the samples so far in the compressed format of pprof. It may be called while programs run,
// and again later. Errors are those of w.
func (p *Profile) Write(w io.Writer) error { return p.Copy().Write(w) }

// Copy returns the samples so far as a profile of pprof, for programs that merge, filter or show it. Each sample
// has two values: how many there were, and their CPU time in nanoseconds, or their steps with Config.Steps.
func (p *Profile) Copy() *pprof.Profile {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := newBuilder(p)
	for _, s := range p.table.sorted() {
		b.add(s)
	}
	return b.out
}

// builder makes a profile of pprof from a table.
type builder struct {
	of        *table
	out       *pprof.Profile
	locations []*pprof.Location // by the numbers of places
	functions map[function]*pprof.Function
	alike     map[string]int // how many functions have a name
}

// function is what makes two calls be of the same function.
type function struct {
	name, file string
	start      int
}

func (f Frame) function() function { return function{f.Function, f.File, f.Start} }

func newBuilder(p *Profile) *builder {
	took := p.took
	if !p.stopped {
		took = p.clock.wall()
	}
	measured, period := &pprof.ValueType{Type: "cpu", Unit: "nanoseconds"}, int64(max(p.cfg.Interval, 1))
	if p.cfg.Steps > 0 {
		measured, period = &pprof.ValueType{Type: "steps", Unit: "count"}, int64(p.cfg.Steps)
	}
	b := &builder{
		of: &p.table, locations: make([]*pprof.Location, len(p.table.frames)), functions: map[function]*pprof.Function{},
		alike: map[string]int{},
		out: &pprof.Profile{
			SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, measured},
			PeriodType: measured, Period: period, TimeNanos: p.start.UnixNano(), DurationNanos: int64(took),
			// Without a mapping that has everything pprof would look for a binary.
			Mapping: []*pprof.Mapping{{ID: 1, File: valid(p.cfg.Program), HasFunctions: true, HasFilenames: true, HasLineNumbers: true}},
		},
	}
	seen := map[function]bool{}
	for _, f := range p.table.frames {
		if of := f.function(); !seen[of] {
			seen[of] = true
			b.alike[of.name]++
		}
	}
	return b
}

func (b *builder) add(s *stack) {
	sample := &pprof.Sample{Value: []int64{s.count, s.value}}
	for _, place := range s.places {
		sample.Location = append(sample.Location, b.location(place))
	}
	if s.fiber > 0 {
		of := b.of.labels[s.fiber-1]
		sample.Label = map[string][]string{}
		for key, value := range map[string]string{"fiber": of.ID, "name": of.Name} {
			if value != "" {
				sample.Label[key] = []string{valid(value)}
			}
		}
	}
	b.out.Sample = append(b.out.Sample, sample)
}

func (b *builder) location(place uint32) *pprof.Location {
	if l := b.locations[place]; l != nil {
		return l
	}
	f := b.of.frames[place]
	l := &pprof.Location{
		ID: uint64(len(b.out.Location) + 1), Mapping: b.out.Mapping[0],
		Line: []pprof.Line{{Function: b.function(f.function()), Line: int64(f.Line)}},
	}
	b.locations[place] = l
	b.out.Location = append(b.out.Location, l)
	return l
}

func (b *builder) function(of function) *pprof.Function {
	if f := b.functions[of]; f != nil {
		return f
	}
	f := &pprof.Function{ // without a SystemName, pprof does not take the name for one of C++
		ID: uint64(len(b.out.Function) + 1), Name: valid(b.name(of)), Filename: valid(of.file), StartLine: int64(of.start),
	}
	b.functions[of] = f
	b.out.Function = append(b.out.Function, f)
	return f
}

// valid is a text as the format has it.
func valid(text string) string { return strings.ToValidUTF8(text, string(utf8.RuneError)) }

// name is the name that pprof shows. pprof adds up functions of the same name, so that each of several
// has its place too.
func (b *builder) name(of function) string {
	switch {
	case b.alike[of.name] < 2 || of.file == "":
		return of.name
	case of.start == 0:
		return fmt.Sprintf("%s (%s)", of.name, of.file)
	}
	return fmt.Sprintf("%s (%s:%d)", of.name, of.file, of.start)
}
