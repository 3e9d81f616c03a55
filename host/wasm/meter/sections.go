package meter

// The sections of a module, by their identifiers.
const (
	customSection = iota
	typeSection
	importSection
	functionSection
	tableSection
	memorySection
	globalSection
	exportSection
	startSection
	elementSection
	codeSection
	dataSection
	dataCountSection
	sections
)

func sectionName(id byte) string {
	return [sections]string{"custom section", "types", "imports", "functions", "tables", "memories", "globals",
		"exports", "start", "elements", "code", "data", "data count"}[id]
}

// rank is the place of a section in the order of the sections. Custom sections may be anywhere.
func rank(id byte) int {
	switch id {
	case dataCountSection:
		return 2*elementSection + 1
	default:
		return 2 * int(id)
	}
}

// section is the position of a section in the module, without its header.
type section struct {
	id         byte
	start, end int
}

const header = "\x00asm\x01\x00\x00\x00"

// split finds the sections and checks their order.
func split(module []byte) ([]section, *Error) {
	r := &reader{all: module, end: len(module), section: "module"}
	if len(module) < 8 || string(module[:4]) != header[:4] {
		r.fail(0, "this is not WebAssembly: it does not begin with \\0asm")
	} else if string(module[4:8]) != header[4:] {
		r.fail(4, "version %x: only modules of version 1 are supported, no components", module[4:8])
	}
	r.skip(8)
	var found []section
	for last := 0; r.ok() && r.left() > 0; {
		at := r.pos
		id := r.byte()
		size := r.uint()
		if id >= sections {
			r.fail(at, "section %d is not known", id)
			break
		}
		if id != customSection && rank(id) <= last {
			r.fail(at, "section %q is out of order or there twice", sectionName(id))
		} else if id != customSection {
			last = rank(id)
		}
		start := r.pos
		r.skip(uint64(size))
		found = append(found, section{id, start, r.pos})
	}
	return found, r.err
}
