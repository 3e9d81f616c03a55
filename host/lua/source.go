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

// maxSource is the largest size of a chunk in bytes. It refuses a file or a reader function
// without an end. gopher-lua needs more than a hundred times the size of a program to compile
// it.
const maxSource = 64 << 20

// compile is the only way from source to a function, for the host and for programs. It refuses
// sources that would crash the process in gopher-lua's compiler, and corrects code that the
// compiler gets wrong.
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
	if err := constructors.Fix(fn.Proto); err != nil {
		return nil, apiError(glua.ApiErrorSyntax, fmt.Errorf("%s: %w", chunk, err))
	}
	return fn, nil
}

// compileFile compiles a file, or standard input if the path is empty. It skips a first line that
// starts with #.
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

// read reads a source to its end, or one byte more than maxSource.
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
