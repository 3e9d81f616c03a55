package levels

import (
	"fmt"
	"math"
)

// Max is how many levels a program may have. For each, gopher-lua needs up to 1.5 KB of
// Go stack (nested functions; operators need half of that): 17 MB for Max, 64 MB for
// 46,000. At 350,000 it needs 512 MB, and Go ends the process, as it doubles stacks and
// allows 1 GB. Lua itself stops at 200 where its parser calls itself, and knows no limit
// for elseif and for operators that bind to the left, of which generated programs have
// long chains.
const Max = 12_000

// Error is the refusal of a program.
type Error struct {
	Chunk string // its name
	Line  int    // where it first has too many levels
}

// Error is the message that Lua has for this.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d: chunk has too many syntax levels", e.Chunk, e.Line)
}

// Check returns an *Error if the source has more than Max levels. It takes time in
// proportion to the source, and memory in proportion to Max.
func Check(source, chunk string) error {
	s := scan{lexer: lexer{src: source}}
	if s.run(Max); s.peak > Max {
		return &Error{Chunk: chunk, Line: line(source[:s.pos])}
	}
	return nil
}

// Count is the number of levels of a program that gopher-lua's parser accepts.
func Count(source string) int {
	s := scan{lexer: lexer{src: source}}
	s.run(math.MaxInt)
	return s.peak
}

// line is the number of the line after the text. As gopher-lua counts, a carriage return
// beside a line feed belongs to it.
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
