package meter

// code is the state of the function body that is rewritten.
type code struct {
	blocks []bool // the open blocks: whether each is a loop
	heads  []head // the heads of the function and of the open loops
}

// head is a place where fuel is charged.
type head struct {
	at   int // the position of its cost in the output
	cost uint32
}

// body rewrites one function.
func (e *editor) body() {
	at := e.pos
	total := uint64(0)
	e.each(e.count(2), func() {
		total += uint64(e.uint())
		e.byte()
	})
	switch {
	case total > maxLocals:
		e.fail(at, "%d locals: at most %d are allowed", total, maxLocals)
	case total > e.locals:
		e.fail(at, "the functions have more locals than a module of %d bytes can use", len(e.all))
	default:
		e.locals -= total
	}
	e.code.blocks, e.code.heads = e.code.blocks[:0], e.code.heads[:0]
	e.charge()
	for e.ok() && len(e.code.heads) > 0 {
		e.metered()
	}
}

// metered reads an instruction, and adds it to the cost of the loop or function that contains it.
func (e *editor) metered() {
	c := &e.code
	e.bulk()
	op := e.instruction()
	if op == opLoop {
		e.charge()
	}
	top := len(c.heads) - 1
	c.heads[top].cost++
	switch op {
	case opBlock, opIf, opLoop:
		c.blocks = append(c.blocks, op == opLoop)
	case opEnd:
		open := len(c.blocks) - 1
		if open < 0 || c.blocks[open] {
			e.settle(c.heads[top])
			c.heads = c.heads[:top]
		}
		c.blocks = c.blocks[:max(open, 0)]
	}
}

// costSize is the size of a cost in the output. Space for it is reserved, because the cost is known
// only at the end of the loop or function.
const costSize = 5

// charge inserts the code that pays for what follows. settle writes the cost.
func (e *editor) charge() {
	e.flush(e.pos)
	e.out = append(e.fuel(e.out, opGlobalGet), opI64Const)
	e.code.heads = append(e.code.heads, head{at: len(e.out)})
	e.out = e.take(append(e.out, make([]byte, costSize)...))
}

// settle writes the cost of a head: a signed LEB128 number of full length.
func (e *editor) settle(h head) {
	for i := range costSize {
		b := byte(h.cost>>(7*i)) & 0x7f
		if i < costSize-1 {
			b |= 0x80
		}
		e.out[h.at+i] = b
	}
}
