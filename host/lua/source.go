package lua

import (
	"errors"
	"fmt"
	"io"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/yuin/gopher-lua/parse"

	"github.com/selvage-dev/selvage/host/lua/internal/assignments"
	"github.com/selvage-dev/selvage/host/lua/internal/constructors"
	"github.com/selvage-dev/selvage/host/lua/internal/levels"
	"github.com/selvage-dev/selvage/host/lua/internal/scopes"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

const (
	// maxSource is the largest size of a chunk in bytes. It refuses a file or a reader function
	// without an end.
	maxSource = 64 << 20
	// compileBytes is how many bytes gopher-lua needs to compile one byte, at most.
	compileBytes = 128
	// compiledAtOnce is how many bytes are compiled on the fiber itself. Each byte costs a step.
	compiledAtOnce = 8 << 10
)

// SourceError is a source that is larger than Config.MaxSource.
type SourceError struct{ Size, Limit int } // in bytes; Size is more than Limit, and the rest may not have been read

// Error names the limit.
func (e *SourceError) Error() string {
	if e.Limit == maxSource {
		return "chunk is larger than 64 MB"
	}
	return fmt.Sprintf("chunk is larger than %d bytes", e.Limit)
}

// Compile compiles a chunk without a State. Nothing writes to the prototype afterwards, so any number
// of States may execute it at the same time, each by LState.NewFunctionFromProto of its Base. Errors
// are those of State.Load.
func Compile(r io.Reader, chunk string) (*glua.FunctionProto, error) {
	source, err := readAll(r)
	if err != nil {
		return nil, apiError(glua.ApiErrorFile, err)
	}
	return prototype(source, chunk, maxSource)
}

// compile makes a function of L from a source. A step is paid for each byte. While a long source is
// compiled, other fibers may execute (Config.Away).
func (s *State) compile(L *glua.LState, source, chunk string) (fn *glua.LFunction, err error) {
	var proto *glua.FunctionProto
	work := func() { proto, err = prototype(source, chunk, s.config.MaxSource) }
	if len(source) <= s.config.MaxSource {
		s.Charge(int64(len(source)))
		s.meter.Alloc(int64(compileBytes) * int64(len(source)))
	}
	if len(source) > compiledAtOnce && s.config.Away != nil {
		s.config.Away(L, work)
	} else {
		work()
	}
	if err != nil {
		return nil, err
	}
	s.KeepSource(chunk, source)
	if vm.HasLong(proto) {
		s.meter.ExpectLong()
	}
	s.profiler.know(proto)
	return L.NewFunctionFromProto(proto), nil
}

// prototype is the only way from source to code, for the host and for programs. It refuses
// sources that would crash the process in gopher-lua's compiler, and corrects code that the
// compiler gets wrong.
func prototype(source, chunk string, most int) (*glua.FunctionProto, error) {
	if err := acceptable(source, most); err != nil {
		return nil, &glua.ApiError{Type: glua.ApiErrorSyntax, Object: glua.LString(chunk + ": " + err.Error()), Cause: err}
	}
	if err := levels.Check(source, chunk); err != nil {
		return nil, apiError(glua.ApiErrorSyntax, err)
	}
	parsed, err := parse.Parse(strings.NewReader(source), chunk)
	if err != nil {
		return nil, apiError(glua.ApiErrorSyntax, err)
	}
	assignments.Fix(parsed)
	proto, err := scopes.Compile(parsed, chunk)
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
func acceptable(source string, most int) error {
	switch {
	case len(source) > most:
		return &SourceError{len(source), most}
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
func (s *State) compileFile(L *glua.LState, from Files, path string) (*glua.LFunction, error) {
	source, err := from.Read(L, path)
	if err != nil {
		return nil, apiError(glua.ApiErrorFile, err)
	}
	if strings.HasPrefix(source, "#") {
		_, rest, _ := strings.Cut(source, "\n")
		source = "\n" + rest
	}
	return s.compile(L, source, path)
}

func apiError(kind glua.ApiErrorType, err error) *glua.ApiError {
	return &glua.ApiError{Type: kind, Object: glua.LString(err.Error()), Cause: err}
}
