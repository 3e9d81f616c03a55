package meter

// Parts of the name section that are lists by function.
const (
	functionNames = 1
	localNames    = 2
	labelNames    = 3
)

// custom rewrites the names of functions. Other custom sections are kept unchanged, or dropped.
func (e *editor) custom() (keep bool) {
	name := e.name()
	if name != "name" {
		e.skip(uint64(e.left()))
		return !dropped(name)
	}
	for e.ok() && e.left() > 0 {
		switch e.byte() {
		case functionNames:
			e.nested(func() { e.each(e.count(2), e.functionName) })
		case localNames, labelNames:
			e.nested(func() { e.each(e.count(2), e.namesInFunction) })
		default:
			e.skip(uint64(e.count(1)))
		}
	}
	return true
}

// nameOf reads the index of the function that a name belongs to. An index without a function is
// not refused: engines ignore it.
func (e *editor) nameOf() {
	start := e.pos
	if i := e.uint(); i >= e.importedFunctions && i < e.functions {
		e.replace(start, i+1)
	}
}

func (e *editor) functionName() {
	e.nameOf()
	e.name()
}

func (e *editor) namesInFunction() {
	e.nameOf()
	e.each(e.count(2), func() {
		e.uint()
		e.name()
	})
}
