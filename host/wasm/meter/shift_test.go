package meter_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/internal/asm"
)

func TestNamesStayWithTheirFunctions(t *testing.T) {
	w := newWorld(t, 1)
	m := w.mustLoad(t, asm.Assemble(`import "selvage.meter" "preempt" host ()
		func inner () call host unreachable end
		func outer () export call inner end`))
	_, err := m.ExportedFunction("outer").Call(context.Background())
	require.ErrorContains(t, err, ".inner()\n\t.outer()")
}

// debug is a custom section of one byte.
func custom(name string) []byte {
	return append(append([]byte{0, byte(len(name) + 2), byte(len(name))}, name...), 0x7f)
}

func TestSectionsThatSpeakOfPositionsInTheCodeAreLeftOut(t *testing.T) {
	module := asm.Assemble("func f () end")
	for name, kept := range map[string]bool{
		".debug_line": false, ".debug_info": false, "metadata.code.branch_hint": false,
		"producers": true, "go:buildid": true,
	} {
		out, _, err := meter.Instrument(append(bytes.Clone(module), custom(name)...), meter.Options{})
		require.NoError(t, err)
		require.Equal(t, kept, bytes.Contains(out, []byte(name)), name)
	}
}

func TestAModuleWithoutAnythingIsMeteredToo(t *testing.T) {
	m := newWorld(t, 1).mustLoad(t, asm.Assemble(""))
	require.Zero(t, m.ExportedGlobal(meter.Fuel).Get())
}

// A program that knew how could otherwise give itself fuel.
func TestWhatIsAddedIsOutOfTheProgramsReach(t *testing.T) {
	for what, part := range map[string]string{
		"global 1: there are 1":   "global g i64 0 func f () i64.const 99 global.set g end",
		"function 1: there are 1": "func f () call f end",
		"type 1: there are 1":     "table 1 func f () i32.const 0 call_indirect end",
	} {
		module := asm.Assemble(part)
		for _, old := range [][]byte{{0x24, 0, 0x0b}, {0x10, 0, 0x0b}, {0x11, 0, 0, 0x0b}} {
			if at := bytes.LastIndex(module, old); at >= 0 {
				module[at+1] = 1
			}
		}
		_, _, err := meter.Instrument(module, meter.Options{})
		require.ErrorContains(t, err, what)
	}
}

func TestTheNameOfTheFuelIsReserved(t *testing.T) {
	_, _, err := meter.Instrument(asm.Assemble(`global selvage.fuel i64 0`), meter.Options{})
	require.ErrorContains(t, err, `exports: the name "selvage.fuel" is reserved`)
}

func TestATableCannotGrowPastTheLimit(t *testing.T) {
	// table.grow of n null references
	module := asm.Assemble("table 2 func grow (i32) (i32) export local.get 0 local.get 0 i32.add end")
	sum := []byte{0x20, 0, 0x20, 0, 0x6a, 0x0b}
	grow := []byte{0xd0, 0x70, 0x20, 0, 0xfc, 15, 0, 0x0b}
	at := bytes.Index(module, sum)
	module[at-2]++ // sizes of the function,
	module[at-2]++
	module[at-4] += 2 // and of the section
	module = append(append(bytes.Clone(module[:at]), grow...), module[at+len(sum):]...)

	limited, _, err := meter.Instrument(module, meter.Options{TableEntries: 10})
	require.NoError(t, err)
	w := newWorld(t, unmetered)
	m := w.mustLoad(t, limited)
	require.EqualValues(t, uint32(math.MaxUint32), w.call(t, m, "grow", 9)[0])
	require.EqualValues(t, 2, w.call(t, m, "grow", 8)[0])
	require.EqualValues(t, uint32(math.MaxUint32), w.call(t, m, "grow", 1)[0])
	_, _, err = meter.Instrument(module, meter.Options{TableEntries: 1})
	require.ErrorContains(t, err, "tables: a table of 2 entries: with 1 tables, each may have 1")
}

func TestTablesShareTheLimit(t *testing.T) {
	_, _, err := meter.Instrument(asm.Assemble("table 5 table 5"), meter.Options{TableEntries: 10})
	require.NoError(t, err)
	_, _, err = meter.Instrument(asm.Assemble("table 5 table 5"), meter.Options{TableEntries: 9})
	require.ErrorContains(t, err, "a table of 5 entries: with 2 tables, each may have 4")
}

// A function of ten bytes may have 50,000 locals, but not every function of a module.
func TestLocalsAreLimitedByTheSizeOfTheModule(t *testing.T) {
	one := "func f () locals " + strings.Repeat("i64 ", 30_000) + "end\n"
	_, _, err := meter.Instrument(asm.Assemble(one), meter.Options{})
	require.NoError(t, err)
	// What the assembler writes one by one can be written in a group of four bytes.
	group := "\x08\x01\xb0\xea\x01\x7e\x01\x01\x0b"
	code := "\x0a" + string(rune(1+2*len(group))) + "\x02" + group + group
	types, functions := "\x01\x04\x01\x60\x00\x00", "\x03\x03\x02\x00\x00"
	_, _, err = meter.Instrument([]byte(magic+types+functions+code), meter.Options{})
	require.ErrorContains(t, err, "code: the functions have more locals than a module of 40 bytes can use")
}
