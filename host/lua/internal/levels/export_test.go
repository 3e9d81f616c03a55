package levels

// Exceeds tells whether a program has more levels than a limit, read no further than it
// takes to know.
func Exceeds(source string, limit int) bool {
	s := scan{lexer: lexer{src: source}}
	s.run(limit)
	return s.peak > limit
}
