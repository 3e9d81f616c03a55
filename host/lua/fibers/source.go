package fibers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/host/lua/internal/levels"
)

// readSource reads a program. A binary file would give a meaningless syntax error, so it is
// refused by its name.
func readSource(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	text := strings.TrimPrefix(string(data), "\ufeff") // the mark that some editors write at the start of UTF-8
	if strings.HasPrefix(text, "\x1bLua") {
		return "", &GuestError{Message: fmt.Sprintf("%s: is compiled Lua; give the source", path)}
	}
	if strings.ContainsRune(text, 0) && !utf8.ValidString(text) {
		return "", &GuestError{Message: fmt.Sprintf("%s: is not a Lua program: it holds binary data", path)}
	}
	if strings.HasPrefix(text, "#") {
		text = "--" + text // a comment keeps the line numbers
	}
	return text, nil
}

// Program is a compiled Lua program. It does not change, so any number of Hosts may run it at the
// same time, each on its own goroutine. Host.Call and Host.Start take it as a function.
type Program struct {
	chunk string
	proto *glua.FunctionProto
}

// Compile compiles a program; chunk is its name in messages. Errors: *GuestError for a syntax error,
// and those of the reader. The cost is that of parsing: a Host that is given a Program does not parse.
func Compile(source io.Reader, chunk string) (*Program, error) {
	p, _, err := compile(source, chunk)
	return p, err
}

// compile is Compile, and returns the text.
func compile(source io.Reader, chunk string) (*Program, []byte, error) {
	text, err := io.ReadAll(source)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", chunk, err)
	}
	proto, err := lua.Compile(bytes.NewReader(text), chunk)
	if err != nil {
		lines := bytes.Count(bytes.TrimRight(text, "\n"), []byte("\n")) + 1
		refused := &GuestError{Message: syntaxError(err, chunk, lines)}
		if api, ok := errors.AsType[*glua.ApiError](err); ok {
			if large, ok := api.Cause.(*lua.SourceError); ok {
				refused.cause = large
			}
		}
		return nil, nil, refused
	}
	return &Program{chunk, proto}, text, nil
}

// on makes the function of the program in a Lua state.
func (p *Program) on(s *lua.State) *glua.LFunction { return s.Function(p.proto) }

// syntaxError is the text of an error of the parser or the compiler: file:line: message. They do
// not know the line of the end of the file.
func syntaxError(err error, chunk string, lines int) string {
	var deep *levels.Error
	var unread *parse.Error
	var uncompiled *glua.CompileError
	if api, ok := errors.AsType[*glua.ApiError](err); ok && api.Cause != nil {
		err = api.Cause
	}
	switch {
	case errors.As(err, &deep):
		return deep.Error()
	case errors.As(err, &uncompiled):
		return fmt.Sprintf("%s:%d: %s", chunk, uncompiled.Line, uncompiled.Message)
	case !errors.As(err, &unread):
		return fmt.Sprintf("%s: %v", chunk, err)
	case unread.Pos.Line == parse.EOF:
		return fmt.Sprintf("%s:%d: %s at the end of the file", chunk, lines, unread.Message)
	}
	return fmt.Sprintf("%s:%d: %s near '%s'", chunk, unread.Pos.Line, unread.Message, unread.Token)
}
