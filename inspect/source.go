package inspect

import (
	"bytes"
	"strings"
)

const (
	around  = 4   // lines before and after the one that a call has reached
	maxLine = 400 // bytes of a line that are shown
)

// Excerpt is a part of a source file.
type Excerpt struct {
	First int      `json:"first"` // the number of the first line, from 1
	Lines []string `json:"lines"`
}

// addSources adds the lines around each call of a stack. It runs on the goroutine of the request: files may be slow.
func (h *Handler) addSources(d *Detail) {
	if h.cfg.Source == nil {
		return
	}
	texts := map[string][]byte{}
	for i := range d.Stack {
		c := &d.Stack[i]
		if c.File == "" || c.Line < 1 {
			continue
		}
		text, known := texts[c.File]
		if !known {
			text, _ = h.cfg.Source(c.File)
			texts[c.File] = text
		}
		c.Source = excerptOf(text, c.Line)
	}
}

// excerptOf are the lines around one; nil if there is no such line.
func excerptOf(text []byte, line int) *Excerpt {
	e := &Excerpt{First: max(1, line-around), Lines: []string{}}
	for n := 1; n <= line+around && len(text) > 0; n++ {
		var l []byte
		l, text, _ = bytes.Cut(text, []byte("\n"))
		if n >= e.First {
			e.Lines = append(e.Lines, strings.ToValidUTF8(string(l[:min(len(l), maxLine)]), "\uFFFD"))
		}
	}
	if e.First+len(e.Lines) <= line {
		return nil
	}
	return e
}
