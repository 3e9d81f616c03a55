package fibers_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/sandbox"
)

// wasiGuest is a guest whose calls of WASI a test makes.
type wasiGuest struct {
	functions map[string]api.FunctionDefinition
	caller    *wasm.Caller
}

// call calls a WASI function from the guest's code. A negative argument is one of all ones.
func (g *wasiGuest) call(name string, args ...int64) (errno uint64, err error) {
	raw := make([]uint64, len(args))
	for i, arg := range args {
		if raw[i] = uint64(arg); g.functions[name].ParamTypes()[i] == api.ValueTypeI32 {
			raw[i] = api.EncodeU32(uint32(arg))
		}
	}
	results, err := g.caller.Instance().Call(g.caller.Fiber, "call_"+name, raw...)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return results[0], nil
}

// must calls a function that returns without an error number.
func (g *wasiGuest) must(t *testing.T, name string, args ...int64) {
	t.Helper()
	errno, err := g.call(name, args...)
	require.NoError(t, err)
	require.Zero(t, errno)
}

func (g *wasiGuest) memory() api.Memory { return g.caller.Instance().Module().Memory() }

// put writes a text to the guest's memory, and returns its address and its length.
func (g *wasiGuest) put(at int64, text string) (address, length int64) {
	g.memory().WriteString(uint32(at), text)
	return at, int64(len(text))
}

func (g *wasiGuest) word(at uint32) int64 {
	n, _ := g.memory().ReadUint32Le(at)
	return int64(n)
}

// open opens a file in the first directory.
func (g *wasiGuest) open(t *testing.T, name string, oflags, rights, fdflags int64) (fd int64) {
	t.Helper()
	at, n := g.put(1024, name)
	g.must(t, "path_open", 3, 1, at, n, oflags, rights, 0, fdflags, 1000)
	return g.word(1000)
}

// vectors are the parts that a call writes.
func (g *wasiGuest) vectors(at uint32, parts ...[]byte) (address, count int64) {
	data := at + uint32(8*len(parts))
	for i, part := range parts {
		g.memory().WriteUint32Le(at+uint32(8*i), data)
		g.memory().WriteUint32Le(at+uint32(8*i)+4, uint32(len(part)))
		g.memory().Write(data, part)
		data += uint32(len(part))
	}
	return int64(at), int64(len(parts))
}

const (
	mayRead, mayWrite   = 1 << 1, 1 << 6 // rights
	create, truncate    = 1 << 0, 1 << 3 // oflags
	appending, nonblock = 1 << 0, 1 << 2 // fdflags
	errnoAgain          = 6
	errnoBadFile        = 8
	errnoReadOnly       = 69
)

// withWASI runs a guest that imports all of WASI, with as many pages of memory; with 0 it has none.
func withWASI(t *testing.T, access sandbox.Access, pages int, test func(*wasiGuest)) {
	t.Helper()
	h, err := fibers.New(fibers.Config{Wasm: wasm.Config{Cache: cache}, Access: access})
	require.NoError(t, err)
	defer h.Close()
	g := &wasiGuest{functions: h.Runtime().Engine().Module("wasi_snapshot_preview1").ExportedFunctionDefinitions()}
	require.NoError(t, h.Runtime().Define("test", wasm.Function{Name: "body", Do: func(c *wasm.Caller, _ []uint64) error {
		g.caller = c
		test(g)
		return nil
	}}))
	_, err = h.Run(t.Context(), "p.wasm", asm.Assemble(g.text(pages)))
	require.NoError(t, err)
}

// text is the guest: for each function, an exported one that calls it.
func (g *wasiGuest) text(pages int) string {
	imports, calls := `import "test" "body" body ()`+"\n", ""
	for _, name := range slices.Sorted(maps.Keys(g.functions)) {
		var params, results, pass strings.Builder
		for i, p := range g.functions[name].ParamTypes() {
			fmt.Fprint(&params, api.ValueTypeName(p), " ")
			fmt.Fprint(&pass, "local.get ", i, " ")
		}
		for _, r := range g.functions[name].ResultTypes() {
			fmt.Fprint(&results, "(", api.ValueTypeName(r), ")")
		}
		imports += fmt.Sprintf("import \"wasi_snapshot_preview1\" %q %s (%s) %s\n", name, name, &params, &results)
		calls += fmt.Sprintf("func call_%s (%s) %s export %s call %s end\n", name, &params, &results, &pass, name)
	}
	memory := ""
	if pages > 0 {
		memory = fmt.Sprintf("memory %d\n", pages)
	}
	return imports + memory + calls + "func run () export call body end"
}
