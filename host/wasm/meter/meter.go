package meter

import "strings"

// The names by which the new module and its host refer to each other.
const (
	// Host is the module that Preempt is imported from.
	Host = "selvage.meter"
	// Preempt is the function, without parameters and results, that is called when the fuel
	// is used up. It sets Fuel again, or panics.
	Preempt = "preempt"
	// Fuel is the exported global, a mutable i64, that is counted down. A module that exports
	// this name itself is refused.
	Fuel = "selvage.fuel"
)

// Options are the limits of the new module. The zero Options has the defaults.
type Options struct {
	// TableEntries is the most entries that all tables of an instance may have together, by
	// default a million. Each takes eight bytes of the host's memory. Every table gets an
	// equal share; most modules have one table.
	TableEntries uint32
}

const (
	defaultTableEntries = 1_000_000
	// maxLocals is the most locals of a function. It is the same in most engines.
	maxLocals = 50_000
)

// Sizes are what an instance of a module has of its own.
type Sizes struct {
	Memory bool   // it has one, or imports one
	Pages  uint32 // of its memory at the beginning
	// Entries is how many entries all of its tables have: at most if the code contains table.grow,
	// else always.
	Entries uint32
}

// Instrument returns the module with metering. The error is an *Error.
func Instrument(module []byte, options Options) ([]byte, Sizes, error) {
	if options.TableEntries == 0 {
		options.TableEntries = defaultTableEntries
	}
	all, err := split(module)
	if err != nil {
		return nil, Sizes{}, err
	}
	s, err := survey(module, all)
	if err != nil {
		return nil, Sizes{}, err
	}
	s.options = options
	out := append(make([]byte, 0, 2*len(module)), header...)
	added := 0
	for _, part := range all {
		if part.id != customSection {
			out = s.addMissing(out, &added, rank(part.id))
		}
		e := &editor{reader: reader{all: module, pos: part.start, end: part.end, section: sectionName(part.id)}, shape: s, copied: part.start}
		keep := e.edit(part.id)
		e.finish()
		if e.err != nil {
			return nil, Sizes{}, e.err
		}
		if e.flush(e.pos); keep {
			out = append(appendUint(append(out, part.id), uint32(len(e.out))), e.out...)
		}
	}
	return s.addMissing(out, &added, rank(sections)), s.sizes(), nil
}

func (s *shape) sizes() Sizes {
	entries := s.leastEntries
	if s.growsTables {
		entries = s.mostEntries
	}
	return Sizes{Memory: s.memories > 0, Pages: s.pages, Entries: entries}
}

const (
	typeI32 = 0x7f
	typeI64 = 0x7e
)

// addMissing adds the sections that metering needs and the module does not have, as far as their
// place is before the rank.
func (s *shape) addMissing(out []byte, added *int, before int) []byte {
	needed := [...]byte{typeSection, importSection, globalSection, exportSection}
	for ; *added < len(needed) && rank(needed[*added]) < before; *added++ {
		id := needed[*added]
		if s.has[id] {
			continue
		}
		body := s.addition(id, appendUint(nil, s.added(id)))
		out = append(appendUint(append(out, id), uint32(len(body))), body...)
	}
	return out
}

// added is how many entries metering adds to a section.
func (s *shape) added(id byte) uint32 {
	switch id {
	case typeSection:
		return 3
	case importSection, globalSection, exportSection:
		return 1
	case functionSection, codeSection:
		return s.helpers()
	}
	return 0
}

// addition is the entries that metering adds to a section.
func (s *shape) addition(id byte, to []byte) []byte {
	switch id {
	case typeSection:
		return append(to,
			0x60, 0, 0, // () -> ()
			0x60, 2, typeI32, typeI32, 1, typeI32, // that of pay
			0x60, 3, typeI32, typeI32, typeI32, 3, typeI32, typeI32, typeI32) // those of fill and copies
	case importSection:
		return appendUint(append(appendName(appendName(to, Host), Preempt), 0), s.types)
	case functionSection:
		for which := range s.helpers() {
			to = appendUint(to, s.types+min(which, fill)+1)
		}
	case codeSection:
		return s.helperBodies(to)
	case globalSection:
		return append(to, typeI64, 1, opI64Const, 0, opEnd)
	case exportSection:
		return appendUint(append(appendName(to, Fuel), 3), s.globals)
	}
	return to
}

// dropped returns whether a custom section refers to positions in the code, which change.
func dropped(name string) bool {
	return strings.HasPrefix(name, ".debug_") || strings.HasPrefix(name, "metadata.code.")
}
