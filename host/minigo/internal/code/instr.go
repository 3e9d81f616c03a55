package code

// Instr is one instruction. A, B and C are registers of the bank that the operation implies, or
// small numbers; D is a register, an immediate, a jump distance or an index into a table of the
// function.
type Instr struct {
	Op      Op
	A, B, C uint16
	D       int32
	_       uint32 // a size that is a power of two makes a program counter a shift and an add
}

// Func is a compiled function. It is immutable and shared by all that run it.
type Func struct {
	Index int    // its number in Program.Funcs
	Name  string // as Go's tracebacks name it: "main.f", "main.(*T).m", "main.f.func1"
	File  string
	Code  []Instr
	Line  []int32 // of each instruction
	K     []uint64
	Aux   []Aux

	// N and R are the sizes of the window.
	N, R int
	// ResN and ResR are the results; ArgN and ArgR the parameters and the receiver, which
	// follow them.
	ResN, ResR, ArgN, ArgR int
	// RecvN and RecvR are where the receiver is, for calls through an interface.
	RecvN, RecvR int
	// Clo is the reference register in which a closure finds itself; -1 if it needs none.
	Clo int
	// Epilogue is where a call continues after a recovered panic.
	Epilogue int
	// Wrapper marks a wrapper of the method it calls (promoted, or through a pointer); tracebacks
	// omit it.
	Wrapper bool
	// NilReceiver is the panic of a wrapper of a value method that is called with a nil pointer;
	// "" if the function is not such a wrapper.
	NilReceiver string
}

// Position is the line of the instruction at pc.
func (f *Func) Position(pc int) int32 {
	if pc < 0 || pc >= len(f.Line) {
		return 0
	}
	return f.Line[pc]
}

// Aux is the operands of an instruction that has more than fit. The operation defines the fields.
type Aux struct {
	T, U *Type
	F    *Func
	I    [8]int32
	List []Slot
}

// Slot is one of several operands.
type Slot struct {
	Kind int32 // the operation's own
	N, R int32
	I, J int32
	T    *Type
}

// Program is a compiled program.
type Program struct {
	Funcs   []*Func
	Strings []any // constants, each a string
	Types   []*Type
	Globals []Global
	Natives []string // names in the table of package lib, by number
	// Init calls everything that runs before main, and then main.
	Init *Func
	// Setup is Init without the call of main.
	Setup *Func
	// Exports are the exported functions of package main, by name.
	Exports map[string]Export
	// Bound are the types of the functions of the host that the program uses, by name.
	Bound map[string]Export
	Host  Host
	// RuntimeErrors are the types of the machine's own panics: with "runtime error: "
	// before the text, and without.
	RuntimeErrors [2]*Type
	Methods       []string // method names, by number
	// ErrorMethod, StringMethod and GoStringMethod are the numbers of Error() string, String()
	// string and GoString() string; -1 if no type has one.
	ErrorMethod, StringMethod, GoStringMethod int32
	// Watched says that accesses have a Watch in front of them.
	Watched bool
	// Variables are those of each function, by its number; nil if they were not kept.
	Variables [][]Variable
}

// Host is what the machine makes and reads of package host.
type Host struct {
	Failure  *Type // a pointer, as the others
	Passed   *Type
	Iterator *Type
	Pass     *Func
}

// Export is a function that the host may call, or one of its own.
type Export struct {
	Func            *Func
	Params, Results []*Type
}

// Variable is where a variable of a function is while some of its instructions are executed.
type Variable struct {
	Name string
	Type *Type // in no table: it has no number, and no methods
	// N and R are the first registers. Boxed says that R holds the object in which it is.
	N, R     int
	Boxed    bool
	From, To int32 // its first instruction, and the one behind the last; -1 is the end of the function
}

// Global is a package-level variable.
type Global struct {
	Name string
	N, R int
}
