package levels

import (
	"fmt"
	"math"
)

// Max is how many levels a program may have. gopher-lua needs up to 1.5 KB of Go stack for each
// (for nested functions; half of that for operators): 17 MB for Max, 64 MB for 46,000. At
// 350,000 it needs 512 MB, and Go ends the process, because it doubles stacks and allows 1 GB.
// PUC Lua stops at 200 where its parser recurses, and has no limit for elseif and for
// left-associative operators, of which generated programs have long chains.
const Max = 12_000

// Error is the refusal of a program.
type Error struct {
	Chunk string // the name of the program
	Line  int    // where the levels first exceed Max
}

// Error is Lua's message.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d: chunk has too many syntax levels", e.Chunk, e.Line)
}

// Check returns an *Error if the source has more than Max levels. Its time is O(len(source)), its
// memory O(Max).
func Check(source, chunk string) error {
	s := scan{lexer: lexer{src: source}}
	if s.run(Max); s.peak > Max {
		return &Error{Chunk: chunk, Line: line(source[:s.pos])}
	}
	return nil
}

// Count is the number of levels of a program. gopher-lua's parser must accept the program.
func Count(source string) int {
	s := scan{lexer: lexer{src: source}}
	s.run(math.MaxInt)
	return s.peak
}

// line is the number of the line after the text. As in gopher-lua, a carriage return beside a line
// feed is one line end with it.
func line(text string) int {
	n := 1
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == '\n' || c == '\r' {
			n++
			if i+1 < len(text) && isNewline(text[i+1]) && text[i+1] != c {
				i++
			}
		}
	}
	return n
}
