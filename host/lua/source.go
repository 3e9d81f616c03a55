package lua

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua/internal/constructors"
	"github.com/selvage-dev/selvage/host/lua/internal/levels"
)

// maxSource is the size of the largest chunk in bytes, so that a file or a reader
// function that never ends is refused. gopher-lua needs more than a hundred times the
// size of a program to compile it.
const maxSource = 64 << 20

// compile is the one way from source to a function, for the host and for programs. What
// would crash the process in gopher-lua's compiler is refused, and what it gets wrong mended.
func compile(L *glua.LState, source, chunk string) (*glua.LFunction, error) {
	if len(source) > maxSource {
		err := errors.New("chunk is larger than 64 MB")
		return nil, &glua.ApiError{Type: glua.ApiErrorSyntax, Object: glua.LString(chunk + ": " + err.Error()), Cause: err}
	}
	if err := levels.Check(source, chunk); err != nil {
		return nil, apiError(glua.ApiErrorSyntax, err)
	}
	fn, err := L.Load(strings.NewReader(source), chunk)
	if err != nil {
		return nil, err
	}
	if err := constructors.Mend(fn.Proto); err != nil {
		return nil, apiError(glua.ApiErrorSyntax, fmt.Errorf("%s: %w", chunk, err))
	}
	return fn, nil
}

// compileFile compiles a file, or standard input if the path is empty. A first line that
// starts with # is none of the program's.
func compileFile(L *glua.LState, path string) (*glua.LFunction, error) {
	file := os.Stdin
	if path != "" {
		opened, err := os.Open(path)
		if err != nil {
			return nil, apiError(glua.ApiErrorFile, err)
		}
		defer func() { _ = opened.Close() }()
		file = opened
	}
	source, err := read(file)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(source, "#") {
		_, rest, _ := strings.Cut(source, "\n")
		source = "\n" + rest
	}
	return compile(L, source, path)
}

// read reads a source to its end, or just too much of it.
func read(r io.Reader) (string, error) {
	var source strings.Builder
	if _, err := io.Copy(&source, io.LimitReader(r, maxSource+1)); err != nil {
		return "", apiError(glua.ApiErrorFile, err)
	}
	return source.String(), nil
}

func apiError(kind glua.ApiErrorType, err error) *glua.ApiError {
	return &glua.ApiError{Type: kind, Object: glua.LString(err.Error()), Cause: err}
}
