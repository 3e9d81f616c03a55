package levels

// scan counts levels token by token. It does not need the grammar, because gopher-lua's parser
// stops at the first token that does not fit.
type scan struct {
	lexer
	frame
	open []frame // the frames around frame, outermost first

	before  operand // what ended with the token before
	params  bool    // a function was read, but not its parameter list
	declare bool    // the names of a local or goto are read
	peak    int     // the most levels so far
}

// frame is an open bracket or block. Its elements are the expressions and statements directly
// inside.
type frame struct {
	base  int     // levels around its elements
	floor int     // levels that each further element starts with: the elseifs
	done  int     // levels of the deepest element that is complete
	links int     // operators, fields, indexes and calls of the current element
	part  int     // levels of its deepest bracket or block
	after operand // what ends with its closing token
}

// operand says what may follow in an expression.
type operand uint8

const (
	nothing  operand = iota // a statement or an operand
	value                   // an operator; anything else begins a statement
	callable                // also an index or arguments
)

// run counts until the end, the first text that is not a token, or more than limit levels.
func (s *scan) run(limit int) {
	for s.peak <= limit {
		t := s.next()
		if t == stop {
			return
		}
		s.take(t)
	}
}

func (s *scan) take(t token) {
	if t != name && t != comma {
		s.declare = false
	}
	switch t {
	case name:
		s.name()
	case constant:
		s.before = value
	case text:
		s.text()
	case paren:
		s.paren()
	case brace, bracket:
		s.enter(s.argument())
	case closing:
		s.leave()
	case operator:
		s.link()
		s.before = nothing
	case colon:
		s.before = nothing
	case function:
		s.function()
	case block:
		s.finish()
		s.enter(nothing)
	case elseif:
		s.finish()
		s.floor++
		s.links++
		s.note()
	case declaration:
		s.finish()
		s.declare = true
	case comma, separator:
		s.finish()
	}
}

func (s *scan) name() {
	if s.before != nothing { // a statement without a semicolon before it
		s.finish()
		s.declare = false
	}
	s.before = callable
	if s.declare {
		s.before = value
	}
}

func (s *scan) text() {
	if s.before == callable {
		s.link()
	} else {
		s.before = value
	}
}

func (s *scan) paren() {
	switch {
	case s.params:
		s.params = false
		s.enter(nothing)
		return
	case s.before == callable:
		s.link()
	case s.before == value:
		s.finish()
	}
	s.enter(callable)
}

// argument counts the call or the index that a bracket begins, if it follows something
// callable. Otherwise it is a table or a key in one.
func (s *scan) argument() operand {
	if s.before != callable {
		return value
	}
	s.link()
	return callable
}

func (s *scan) function() {
	if s.before != nothing {
		s.finish()
	}
	s.enter(value)
	s.params = true
}

func (s *scan) enter(after operand) {
	s.open = append(s.open, s.frame)
	s.frame = frame{base: s.base + s.links + 1, after: after}
	s.before = nothing
	s.note()
}

func (s *scan) leave() {
	if len(s.open) == 0 {
		return // not a program
	}
	s.finish()
	inside, after := s.done+1, s.after
	s.frame = s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	s.part = max(s.part, inside)
	s.note()
	if after == nothing {
		s.finish()
	}
	s.before = after
}

// link counts an operator, a field, an index or a call.
func (s *scan) link() {
	s.links++
	s.note()
}

// finish ends an element.
func (s *scan) finish() {
	s.done = max(s.done, s.links+s.part)
	s.links, s.part = s.floor, 0
	s.before = nothing
}

func (s *scan) note() { s.peak = max(s.peak, s.base+s.links+s.part) }
