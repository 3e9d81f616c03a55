package meter

// edit rewrites one section, and returns whether the new module has it.
func (e *editor) edit(id byte) (keep bool) {
	switch id {
	case customSection:
		return e.custom()
	case typeSection:
		e.each(e.longer(id, 3), e.functionType)
	case importSection:
		e.each(e.longer(id, 4), e.imported)
	case functionSection:
		e.each(e.longer(id, 1), e.typeIndex)
	case tableSection:
		e.each(e.count(3), e.table)
	case memorySection:
		e.each(e.count(2), func() { e.extent() })
	case globalSection:
		e.each(e.longer(id, 3), e.global)
	case exportSection:
		e.each(e.longer(id, 3), e.export)
	case startSection:
		e.function()
	case elementSection:
		e.each(e.count(3), e.element)
	case codeSection:
		e.each(e.longer(id, 3), func() { e.nested(e.body) })
	case dataSection:
		e.each(e.count(2), e.data)
	case dataCountSection:
		e.uint()
	}
	e.insert(e.addition(id, nil)...)
	return true
}

func (e *editor) each(n uint32, edit func()) {
	for ; n > 0 && e.ok(); n-- {
		edit()
	}
}

func (e *editor) typeIndex() { e.index("type", e.types) }

func (e *editor) functionType() {
	at := e.pos
	if form := e.byte(); form != 0x60 {
		e.fail(at, "types of form %#x are not supported", form)
	}
	e.skip(uint64(e.count(1)))
	e.skip(uint64(e.count(1)))
}

func (e *editor) imported() {
	switch e.importHead() {
	case externFunction:
		e.typeIndex()
	case externTable:
		e.tableType()
	case externMemory:
		e.extent()
	case externGlobal:
		e.globalType()
	}
}

// table sets the maximum of a table.
func (e *editor) table() {
	e.byte()
	start := e.pos
	flags := e.byte()
	if flags > 1 {
		e.fail(start, "limits of kind %d are not supported", flags)
	}
	least, most := e.uint(), e.options.TableEntries/max(e.tables, 1)
	if least > most {
		e.fail(start, "a table of %d entries: with %d tables, each may have %d", least, e.tables, most)
	}
	if flags == 1 {
		if most = min(most, e.uint()); most < least {
			e.fail(start, "a table of at least %d and at most %d entries", least, most)
		}
	}
	e.flush(start)
	e.copied = e.pos
	e.out = appendUint(appendUint(append(e.out, 1), least), most)
	e.leastEntries, e.mostEntries = e.leastEntries+least, e.mostEntries+most
}

func (e *editor) global() {
	e.globalType()
	e.expression()
}

func (e *editor) export() {
	at := e.pos
	if e.name() == Fuel {
		e.fail(at, "the name %q is reserved", Fuel)
	}
	switch e.byte() {
	case externFunction:
		e.function()
	case externGlobal:
		e.index("global", e.globals)
	default:
		e.uint()
	}
}

// element rewrites a segment. The first bit of its flags means passive (or declared), the second
// that a table is named (or declared), the third that the entries are expressions.
func (e *editor) element() {
	at := e.pos
	flags := e.uint()
	if flags > 7 {
		e.fail(at, "an element segment of kind %d is not known", flags)
	}
	if flags&1 == 0 {
		if flags&2 != 0 {
			e.uint()
		}
		e.expression()
	}
	if flags&3 != 0 {
		e.byte()
	}
	if flags&4 != 0 {
		e.each(e.count(1), e.expression)
	} else {
		e.each(e.count(1), e.function)
	}
}

func (e *editor) data() {
	at := e.pos
	switch flags := e.uint(); flags {
	case 2:
		e.uint()
		fallthrough
	case 0:
		e.expression()
	case 1:
	default:
		e.fail(at, "a data segment of kind %d is not known", flags)
	}
	e.skip(uint64(e.count(1)))
}
