package code

// Op is an operation. In the comments n and r are the two banks of the window, K the function's
// constants, X its Aux; jumps are relative to the next instruction, and a backward jump
// decrements the budget.
type Op uint16

// The operations. Those before Cold are executed by the loop itself.
const (
	Nop Op = iota

	MovN  // n[A] = n[B]
	MovR  // r[A] = r[B]
	MovNs // n[A:A+C] = n[B:B+C]
	MovRs // r[A:A+C] = r[B:B+C]
	LoadI // n[A] = D
	LoadK // n[A] = K[D]
	LoadS // r[A] = string constant D
	ZeroN // n[A:A+C] = 0
	ZeroR // r[A:A+C] = nil

	Add // n[A] = n[B] + n[C], as all that follow
	Sub
	Mul
	Div // signed; panics on 0
	Rem
	DivU
	RemU
	And
	Or
	Xor
	AndNot
	Shl // counts of 64 and more shift everything out
	ShrS
	ShrU
	AddK // n[A] = n[B] + D
	MulK
	DivK // signed, by D, which is neither 0 nor -1
	RemK
	AndK
	ShlK
	ShrSK
	ShrUK
	Neg
	Not  // ^n[B]
	Flip // !n[B]

	Sext8 // n[A] = int8(n[B])
	Sext16
	Sext32
	Zext8
	Zext16
	Zext32

	AddF
	SubF
	MulF
	DivF
	NegF
	Rnd32 // n[A] = float32(n[B])
	SqrtF

	ItoF
	UtoF
	FtoI // to 64 bits, or if D to 32
	FtoU

	Eq // n[A] = n[B] == n[C], as all that follow
	Ne
	LtI
	LeI
	LtU
	LeU
	EqF
	NeF
	LtF
	LeF

	Jmp // by D
	JT  // if n[A]
	JF
	JEq // if n[A] == n[B]
	JNe
	JLt
	JLe
	JLtU
	JLeU
	JEqF
	JNeF
	JLtF
	JLeF
	JNLtF // if !(n[A] < n[B]), which a NaN makes true
	JNLeF
	JEqK // if n[A] == int16(C)
	JNeK
	JLtK
	JLeK
	JGtK
	JGeK
	JNil // if r[A] == nil
	JSet // if r[A] != nil

	LoadN // n[A] = object r[B], word D
	LoadR
	StoreN // object r[A], word D = n[B]
	StoreR
	LoadGN // n[A] = global D
	LoadGR
	StoreGN // global D = n[A]
	StoreGR
	GPtr  // r[A] = the object of global D
	Capt  // r[A] = capture D of the closure r[B]
	SetP0 // panic if r[A] is a nil pointer

	IdxN // n[A] = slice (n[B..], r[C]) [n[D]]
	IdxR
	SetN // slice (n[B..], r[C]) [n[D]] = n[A]
	SetR
	IdxOff // n[A] = offset in the object of element n[C] of the slice n[B..]
	ArrOff // n[A] = n[B], checked against the length D
	ElemN  // n[A] = object r[C], word n[B]*(D>>16) + D&0xffff
	ElemR
	SElemN // object r[C], word n[B]*(D>>16) + D&0xffff = n[A]
	SElemR
	IdxStr // n[A] = string r[B] [n[C]]
	LenStr // n[A] = len(string r[B])

	Call  // function D in the window at n A, r B
	CallC // the closure r[C]
	CallI // the method of the interface, X[D]
	Ret
	RetN // n[0] = n[A], and return

	Cold // not an operation: the operations from here on are executed outside the loop

	Spend // D steps, for a copy within the window

	EqS // n[A] = r[B] == r[C], strings
	LtS
	LeS
	EqR   // n[A] = r[B] == r[C], references: channels, maps, functions
	EqP   // the same, pointers
	EqT   // n[A] = value X[D] (I: n,r of both) are equal, of type T
	EqIfc // n[A] = interface n[B],r[I0] == interface n[C],r[I1], X[D]

	LoadV  // the value of I: dst n, r, offsets n, r, sizes n, r = object r[B]
	StoreV // the reverse, into object r[A]
	LoadE  // as LoadV, of element n[B]: I6, I7 are the strides
	StoreE
	View  // r[A] = the part of object r[B], X[D] I: offsets n, r, sizes n, r
	ViewE // as View, of element n[C]: I4, I5 are the strides
	Clone // r[A] = copy of the part of object r[B], X[D] I: offsets n, r, sizes n, r
	New   // r[A] = new object of I: n, r

	Concat   // r[A] = r[B] + r[C]
	SliceStr // r[A] = r[B][n[I0]:n[I1]], X[D]; -1 is left out
	StrRune  // r[A] = string(rune n[B])
	StrBytes // r[A] = string([]byte n[B..], r[C])
	StrRunes
	BytesStr // slice n[A..], r[B] = []byte(r[C])
	RunesStr
	NextRune // n[A] = width and n[A+1] = rune at n[C] of r[B]; jump by D at the end

	MakeSlice // X[D]: dst n, r, len, cap (n), stride n, r
	SliceOf   // X[D]: dst n,r, src n,r, lo, hi, max (n, -1), element size
	SliceArr  // X[D]: the same of an array; S src r; I: dst n, r, src r, lo, hi, max; List0: len, strides
	Append    // X[D]: dst n,r, src n,r, elem n,r: one element, T
	AppendS   // X[D]: a slice
	AppendStr // X[D]: a string to bytes
	Copy      // X[D]: n dst count, dst n,r, src n,r, T
	CopyStr
	MinMaxF // n[A] = min, or if D max, of floats n[B] and n[C]
	ClearS  // all elements of slice n[A..],r[B] = 0, of type X[D].T
	SlicePtr
	ShiftOK // panic if the shift count n[A] is negative

	Box     // interface n[A..],r[B] = value X[D] I: n, r, of type T
	Unbox   // X[D]: dst n,r,ok; src n,r: the value of type T of an interface; panic without ok (-1)
	Assert  // X[D]: the same to an interface type
	TypeIs  // n[B] = interface n[A] holds type X[D].T, or implements it
	TypeNum // n[A] = number of the type

	MakeMap // r[A] of type X[D].T
	MapGet  // X[D]: dst n,r,ok(-1); map r; key n,r; T
	MapSet  // X[D]: value n,r; -; map r; key n,r
	MapDel  // X[D]: -;-;-; map r; key n,r
	MapLen  // n[A] = len(r[B])
	MapClr
	MapIter // r[A] = iterator of map r[B]
	MapNext // X[D]: I0 r iterator; dst key n,r; dst value n,r (-1); I5 jump at the end

	Native   // native D in the window at n A, r B; C: size of the results, words<<8 | references
	Closure  // r[A] = closure of X[D].F over List (R)
	Go       // X[D]: window n, r; kind I2 and function as for the calls; I3, I4 size of arguments
	Defer    // the same
	RetDefer // return, running the deferred calls first
	Recover  // interface n[A..],r[B]
	Panic    // interface n[A..],r[B]
	Print    // List of values with kinds, to stderr; I0 1: println

	MakeChan // r[A] of capacity n[B], X[D].T element
	Send     // X[D]: I: r chan, n, r value; T element; if C is 1, it is the word n[A] to r[B]
	Recv     // X[D]: I: dst n, r, ok (-1), r chan; T element; if C is 1, the word n[A] from r[B], if 2, n[A+1] is ok
	Close    // r[A]
	LenChan  // n[A] = len(r[B])
	CapChan
	Select // X[D]: List of cases; I0 1: has default; I1 n chosen index
	Yield  // the other ready fibers run first
	Point  // a point of preemption (scheduler.Choices); only in programs that are compiled for exploration
	Halt   // the end of a fiber's first function

	// Watch is in front of the instructions of a watched program (Program.Watched) that access memory,
	// synchronize, or call a native function that shares something. A is how they count: WatchPlain, WatchAtomic or WatchOrder. D is the string constant
	// that names the variable; -1 if it has no name.
	Watch

	// Sampled stands in a function that is profiled for an instruction that returns, or is executed outside of
	// the loop, of the function with the same number in Program.Funcs. No compiled program has it.
	Sampled

	ops
)

// How the instruction after a Watch counts.
const (
	WatchPlain  = iota // as an access of the program
	WatchAtomic        // as an atomic access
	WatchOrder         // not as an access that may race; it orders others if it synchronizes
)
