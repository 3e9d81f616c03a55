package compile

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
)

// watch puts a Watch in front of an instruction that accesses memory, synchronizes or looks at a channel.
func (f *fn) watch(op code.Op) {
	what := f.what
	f.what = ""
	as := f.watchedAs()
	if !synchronizes(op) && !accesses(op) {
		return
	}
	name := int32(-1)
	if what != "" {
		name = f.c.str(what)
	}
	f.append(code.Watch, as, 0, 0, name)
}

// sharesMore reports whether a native function shares more with other goroutines than memory, of which it
// tells the machine (lib.Watcher), and the output, of which the explorer knows. Those of the host may.
func sharesMore(native string) bool {
	switch native {
	case "context.isComparable", "sync/atomic.sameType", "os.write", "os.args", "os.LookupEnv",
		"sync.acquire", "sync.release", "sync.merge", "sync.adding", "sync.waiting", "sync.fatal",
		"time.now", "time.durationString", "time.format", "time.Sleep":
		return false
	}
	dot := strings.LastIndexByte(native, '.')
	switch native[:max(dot, 0)] {
	case "errors", "fmt", "math", "math/bits", "sort", "strconv", "strings", "bytes", "unicode", "unicode/utf8":
		return false
	}
	return true
}

// watchedAs says how the accesses of the function count. The library's own synchronization is made of
// plain accesses, which the machine does not interrupt.
func (f *fn) watchedAs() int {
	if f.pkg == nil {
		return code.WatchPlain
	}
	switch f.pkg.Path() {
	case "sync/atomic", "context":
		return code.WatchAtomic
	case "sync", "time", "log", "testing", "math/rand", "os", "runtime":
		return code.WatchOrder
	}
	return code.WatchPlain
}

func synchronizes(op code.Op) bool {
	switch op {
	case code.Go, code.Send, code.Recv, code.Close, code.Select, code.LenChan:
		return true
	}
	return false
}

func accesses(op code.Op) bool {
	switch op {
	case code.LoadN, code.LoadR, code.StoreN, code.StoreR, code.LoadGN, code.LoadGR, code.StoreGN, code.StoreGR,
		code.IdxN, code.IdxR, code.SetN, code.SetR, code.ElemN, code.ElemR, code.SElemN, code.SElemR,
		code.LoadV, code.StoreV, code.LoadE, code.StoreE, code.Clone, code.StrBytes, code.StrRunes,
		code.Append, code.AppendS, code.AppendStr, code.Copy, code.CopyStr, code.ClearS,
		code.MapGet, code.MapSet, code.MapDel, code.MapLen, code.MapClr, code.MapIter, code.MapNext:
		return true
	}
	return false
}

// unwatched reports whether a call is one of those by which the library says what its synchronization
// orders, in a program that is not watched: it is not compiled, nor are its arguments.
func (f *fn) unwatched(e *ast.CallExpr) bool {
	fn := f.staticFunc(e.Fun)
	if f.c.prog.Watched || fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
		return false
	}
	switch fn.Name() {
	case "acquire", "release", "merge", "adding", "waiting":
		return true
	}
	return false
}

// text is the source of an expression, for Watch.
func (f *fn) text(e ast.Expr) string {
	if !f.c.prog.Watched {
		return ""
	}
	return types.ExprString(e)
}
