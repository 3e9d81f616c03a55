package meter

// shape is the sizes of a module: which sections it has, and how many entries its index spaces have.
type shape struct {
	options           Options
	has               [sections]bool
	types             uint32
	importedFunctions uint32
	functions         uint32
	globals           uint32
	tables            uint32 // without the imported ones
	memories          uint32
	pages             uint32 // of its own memory, at the beginning
	locals            uint64 // how many locals its functions may still declare

	leastEntries, mostEntries uint32 // of all tables
	growsTables               bool   // the code that was read contains table.grow
}

// survey measures a module before it is rewritten, because sections refer to later ones.
func survey(module []byte, all []section) (*shape, *Error) {
	s := &shape{locals: uint64(len(module)) + maxLocals}
	for _, part := range all {
		s.has[part.id] = true
		r := &reader{all: module, pos: part.start, end: part.end, section: sectionName(part.id)}
		switch part.id {
		case typeSection:
			s.types = r.count(3)
		case importSection:
			s.countImports(r)
		case functionSection:
			s.functions += r.count(1)
		case tableSection:
			s.tables = r.count(3)
		case memorySection:
			for n := r.count(2); n > 0 && r.ok(); n-- {
				s.memories++
				s.pages += r.extent()
			}
		case globalSection:
			s.globals += r.count(3)
		}
		if r.err != nil {
			return nil, r.err
		}
	}
	return s, nil
}

func (s *shape) countImports(r *reader) {
	for n := r.count(4); n > 0 && r.ok(); n-- {
		switch r.importHead() {
		case externFunction:
			s.importedFunctions++
			s.functions++
			r.uint()
		case externTable:
			r.tableType()
		case externMemory:
			s.memories++
			r.extent()
		case externGlobal:
			s.globals++
			r.globalType()
		}
	}
}

// Kinds of imports and exports.
const (
	externFunction = iota
	externTable
	externMemory
	externGlobal
)

// importHead reads an import up to its type.
func (r *reader) importHead() (kind byte) {
	r.name()
	r.name()
	at := r.pos
	if kind = r.byte(); kind > externGlobal {
		r.fail(at, "imports of kind %d are not supported", kind)
	}
	return kind
}

func (r *reader) tableType() {
	r.byte()
	r.extent()
}

func (r *reader) globalType() {
	r.byte()
	r.byte()
}

// extent reads a minimum and, if there is one, a maximum.
func (r *reader) extent() (least uint32) {
	at := r.pos
	switch flags := r.byte(); flags {
	case 0:
		return r.uint()
	case 1:
		least = r.uint()
		r.uint()
	default:
		r.fail(at, "limits of kind %d are not supported", flags)
	}
	return least
}
