package lua

import (
	"errors"
	"fmt"
	"io"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/yuin/gopher-lua/parse"

	"github.com/selvage-dev/selvage/host/lua/internal/constructors"
	"github.com/selvage-dev/selvage/host/lua/internal/levels"
)

// maxSource is the largest size of a chunk in bytes. It refuses a file or a reader function
// without an end. gopher-lua needs more than a hundred times the size of a program to compile
// it.
const maxSource = 64 << 20

// Compile compiles a chunk without a State. Nothing writes to the prototype afterwards, so any number
// of States may execute it at the same time, each by LState.NewFunctionFromProto of its Base. Errors
// are those of State.Load.
func Compile(r io.Reader, chunk string) (*glua.FunctionProto, error) {
	source, err := readAll(r)
	if err != nil {
		return nil, apiError(glua.ApiErrorFile, err)
	}
	return prototype(source, chunk)
}

// compile makes a function of L from a source.
func compile(L *glua.LState, source, chunk string) (*glua.LFunction, error) {
	proto, err := prototype(source, chunk)
	if err != nil {
		return nil, err
	}
	return L.NewFunctionFromProto(proto), nil
}

// prototype is the only way from source to code, for the host and for programs. It refuses
// sources that would crash the process in gopher-lua's compiler, and corrects code that the
// compiler gets wrong.
func prototype(source, chunk string) (*glua.FunctionProto, error) {
	if err := acceptable(source); err != nil {
		return nil, &glua.ApiError{Type: glua.ApiErrorSyntax, Object: glua.LString(chunk + ": " + err.Error()), Cause: err}
	}
	if err := levels.Check(source, chunk); err != nil {
		return nil, apiError(glua.ApiErrorSyntax, err)
	}
	parsed, err := parse.Parse(strings.NewReader(source), chunk)
	if err != nil {
		return nil, apiError(glua.ApiErrorSyntax, err)
	}
	proto, err := glua.Compile(parsed, chunk)
	if err != nil {
		return nil, apiError(glua.ApiErrorSyntax, err)
	}
	if err := constructors.Fix(proto); err != nil {
		return nil, apiError(glua.ApiErrorSyntax, fmt.Errorf("%s: %w", chunk, err))
	}
	trim(proto)
	return proto, nil
}

// acceptable refuses a source that is too large, and one that is no source but compiled code.
func acceptable(source string) error {
	switch {
	case len(source) > maxSource:
		return errors.New("chunk is larger than 64 MB")
	case strings.HasPrefix(source, "\x1b"):
		return errors.New("is a binary chunk; load the source")
	}
	return nil
}

// trim gives back the memory that the compiler has reserved: it makes every list of a function with
// room for a thousand elements.
func trim(p *glua.FunctionProto) {
	p.Code, p.DbgSourcePositions = fitting(p.Code), fitting(p.DbgSourcePositions)
	p.Constants, p.FunctionPrototypes = fitting(p.Constants), fitting(p.FunctionPrototypes)
	p.DbgLocals, p.DbgCalls, p.DbgUpvalues = fitting(p.DbgLocals), fitting(p.DbgCalls), fitting(p.DbgUpvalues)
	for _, inner := range p.FunctionPrototypes {
		trim(inner)
	}
}

// fitting is slices.Clone, but nil for an empty slice, whose clone would keep its array.
func fitting[E any](list []E) []E { return append([]E(nil), list...) }

// compileFile compiles a file, or standard input if the path is empty. It skips a first line that
// starts with #.
func compileFile(L *glua.LState, from Files, path string) (*glua.LFunction, error) {
	source, err := from.Read(L, path)
	if err != nil {
		return nil, apiError(glua.ApiErrorFile, err)
	}
	if strings.HasPrefix(source, "#") {
		_, rest, _ := strings.Cut(source, "\n")
		source = "\n" + rest
	}
	return compile(L, source, path)
}

func apiError(kind glua.ApiErrorType, err error) *glua.ApiError {
	return &glua.ApiError{Type: kind, Object: glua.LString(err.Error()), Cause: err}
}
