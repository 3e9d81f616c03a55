// Package runtime is what minigo has of Go's.
package runtime

// Error is what the machine's own panics are.
type Error interface {
	error
	RuntimeError()
}

// fault is a panic of the machine: its text is Go's, without "runtime error: ".
type fault string

func (f fault) Error() string { return "runtime error: " + string(f) }
func (f fault) RuntimeError() {}

// conversion is a failed type assertion.
type conversion string

func (c conversion) Error() string { return string(c) }
func (c conversion) RuntimeError() {}

const (
	GOOS     = "minigo"
	GOARCH   = "minigo"
	Compiler = "minigo"
)

func Gosched()
func Goexit()
func NumGoroutine() int

func GC()                  {}
func NumCPU() int          { return 1 }
func GOMAXPROCS(n int) int { return 1 }
func Version() string      { return "minigo" }
func NumCgoCall() int64    { return 0 }
func LockOSThread()        {}
func UnlockOSThread()      {}

func KeepAlive(x any)                              {}
func SetFinalizer(obj, finalizer any)              {}
func Stack(buf []byte, all bool) int               { return 0 }
func Caller(skip int) (uintptr, string, int, bool) { return 0, "", 0, false }

// MemStats and MemProfileRate are there for programs that watch their memory: it is the
// host's, and what it counts of itself is not told.
type MemStats struct {
	Alloc, TotalAlloc, Sys, Mallocs, Frees, HeapAlloc, HeapSys, HeapObjects uint64
	NumGC                                                                   uint32
}

var MemProfileRate int

func ReadMemStats(m *MemStats) { *m = MemStats{} }
