package fibers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

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

// load compiles a program.
func (h *Host) load(source io.Reader, chunk string) (*glua.LFunction, error) {
	text, err := io.ReadAll(source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", chunk, err)
	}
	main, err := h.env.state.Load(strings.NewReader(string(text)), chunk)
	if err != nil {
		lines := strings.Count(strings.TrimRight(string(text), "\n"), "\n") + 1
		return nil, &GuestError{Message: syntaxError(err, chunk, lines)}
	}
	return main, nil
}

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
