package meter_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"

	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/internal/asm"
)

const magic = "\x00asm\x01\x00\x00\x00"

// malformed are short modules and the errors in them. A decoder that trusted their huge numbers
// would allocate gigabytes.
var malformed = map[string]string{
	"":                                                         `offset 0x0, module: this is not WebAssembly: it does not begin with \0asm`,
	"\x00as":                                                   `offset 0x0, module: this is not WebAssembly`,
	"#!/bin/sh":                                                `offset 0x0, module: this is not WebAssembly`,
	"\x00asm\x0d\x00\x01\x00":                                  "offset 0x4, module: version 0d000100: only modules of version 1 are supported, no components",
	magic + "\x0e\x00":                                         "offset 0x8, module: section 14 is not known",
	magic + "\x01":                                             "offset 0x9, module: unexpected end",
	magic + "\x01\x05\x00":                                     "offset 0xa, module: 5 bytes wanted, 1 are left",
	magic + "\x03\x01\x00\x01\x01\x00":                         `offset 0xb, module: section "types" is out of order or there twice`,
	magic + "\x01\x01\x00\x01\x01\x00":                         `offset 0xb, module: section "types" is out of order or there twice`,
	magic + "\x01\x02\x00\x00":                                 "offset 0xb, types: 1 bytes more than expected",
	magic + "\x01\x05\xff\xff\xff\xff\x0f":                     "offset 0xa, types: 4294967295 entries cannot be in 0 bytes",
	magic + "\x01\x05\xff\xff\xff\xff\x1f":                     "offset 0xa, types: number is larger than 32 bits",
	magic + "\x01\x04\x01\x5f\x00\x00":                         "offset 0xb, types: types of form 0x5f are not supported",
	magic + "\x01\x07\x01\x60\xff\xff\xff\xff\x0f":             "types: 4294967295 entries cannot be in 0 bytes",
	magic + "\x02\x05\x01\x01\xff\x00\x00":                     "offset 0xb, imports: name is not UTF-8",
	magic + "\x02\x05\x01\x00\x00\x04\x00":                     "offset 0xd, imports: imports of kind 4 are not supported",
	magic + "\x02\x05\x01\x00\x00\x00\x00":                     "imports: type 0: there are 0",
	magic + "\x03\x05\xff\xff\xff\xff\x07":                     "functions: 2147483647 entries cannot be in 0 bytes",
	magic + "\x04\x08\x01\x70\x00\xff\xff\xff\xff\x0f":         "tables: a table of 4294967295 entries: with 1 tables, each may have 1000000",
	magic + "\x04\x05\x01\x70\x01\x05\x04":                     "tables: a table of at least 5 and at most 4 entries",
	magic + "\x05\x03\x01\x04\x01":                             "memories: limits of kind 4 are not supported",
	magic + "\x06\x04\x01\x7f\x00\x41":                         "globals: unexpected end",
	magic + "\x06\x06\x01\x7f\x00\x23\x01\x0b":                 "globals: global 1: there are 1",
	magic + "\x07\x04\x01\x00\x00\x00":                         "exports: function 0: there are 0",
	magic + "\x08\x01\x00":                                     "start: function 0: there are 0",
	magic + "\x09\x04\x01\x08\x00\x00":                         "elements: an element segment of kind 8 is not known",
	magic + "\x09\x08\x01\x01\x00\xff\xff\xff\xff\x0f":         "elements: 4294967295 entries cannot be in 0 bytes",
	magic + "\x0a\x05\xff\xff\xff\xff\x0f":                     "code: 4294967295 entries cannot be in 0 bytes",
	magic + "\x0a\x04\x01\x7f\x00\x0b":                         "code: size 127, but 2 bytes are left",
	magic + "\x0a\x0a\x01\x08\x01\xff\xff\xff\xff\x0f\x7f\x0b": "code: 4294967295 locals: at most 50000 are allowed",
	magic + "\x0a\x05\x01\x03\x00\xff\x0b":                     "offset 0xd, code: instruction 0xff is not supported",
	magic + "\x0a\x06\x01\x04\x00\xfc\x12\x0b":                 "offset 0xd, code: instruction 0xfc 18 is not supported",
	magic + "\x0a\x07\x01\x05\x00\xfd\x80\x02\x0b":             "offset 0xd, code: instruction 0xfd 256 is not supported",
	magic + "\x0a\x04\x01\x02\x00\x01":                         "offset 0xe, code: unexpected end",
	magic + "\x0a\x06\x01\x04\x00\x0b\x0b\x0b":                 "code: 2 bytes more than expected",
	magic + "\x0a\x07\x01\x05\x00\x02\x05\x0b\x0b":             "code: type 5: there are 0",
	magic + "\x0a\x0a\x01\x08\x00\x0e\xff\xff\xff\xff\x0f\x0b": "code: 4294967295 entries cannot be in 1 bytes",
	magic + "\x0b\x07\x01\x01\xff\xff\xff\xff\x0f":             "data: 4294967295 entries cannot be in 0 bytes",
	magic + "\x0b\x02\x01\x03":                                 "data: 1 entries cannot be in 1 bytes",
	magic + "\x0b\x03\x01\x03\x00":                             "data: a data segment of kind 3 is not known",
	magic + "\x00\x0c\x04name\x01\x05\xff\xff\xff\xff\x0f":     "custom section: 4294967295 entries cannot be in 0 bytes",
	magic + "\x00\x0a\x04name\x02\x03\x01\x00\x09":             "custom section: 9 entries cannot be in 0 bytes",
}

func TestAMalformedModuleIsAnErrorThatNamesThePlaceAndTheMistake(t *testing.T) {
	for module, want := range malformed {
		_, _, err := meter.Instrument([]byte(module), meter.Options{})
		var typed *meter.Error
		require.ErrorAs(t, err, &typed, "%q", module)
		require.ErrorContains(t, err, want, "%q", module)
		require.LessOrEqual(t, typed.Offset, len(module))
	}
}

func TestEveryBeginningOfAModuleIsRefusedOrAModule(t *testing.T) {
	whole := seeds(t)[0]
	w := newWorld(t, unmetered)
	for n := range whole {
		agree(t, w, whole[:n])
	}
}

func TestDamagedModulesAreRefusedOrModules(t *testing.T) {
	w, random := newWorld(t, unmetered), rand.New(rand.NewPCG(1, 2))
	for _, seed := range seeds(t) {
		for range 500 {
			damaged := append([]byte(nil), seed...)
			for range 1 + random.IntN(3) {
				damaged[random.IntN(len(damaged))] = byte(random.Uint32())
			}
			agree(t, w, damaged)
		}
	}
}

func FuzzInstrument(f *testing.F) {
	for module := range malformed {
		f.Add([]byte(module))
	}
	for _, module := range seeds(f) {
		f.Add(module)
	}
	w := newWorld(f, unmetered)
	f.Fuzz(func(t *testing.T, module []byte) { agree(t, w, module) })
}

// seeds are modules with a part of everything.
func seeds(t testing.TB) [][]byte {
	found := [][]byte{asm.Assemble(`import "selvage.meter" "preempt" p ()
		memory 1 2  table 4 8  global g i64 7  elem 0 f p  data 3 "abc"  start s
		func s () i32.const 1 call f drop end
		func f (i32) (i32) export locals i64 f32
			block loop local.get 0 br_table 0 1 end end
			local.get 0 if i32 call p i32.const 1 else i32.const 0 i32.const 0 call_indirect i32.const 2 end
		end`)}
	dir := filepath.Join(suite(t), "v2", "testdata")
	for _, name := range []string{"bulk.0.wasm", "elem.0.wasm", "simd_lane.0.wasm", "ref_func.0.wasm", "select.0.wasm", "names.3.wasm"} {
		module, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		found = append(found, module)
	}
	return found
}

// agree checks that what is refused is refused with an *Error, and that the engine
// thinks of the rewritten module what it thinks of the original.
func agree(t testing.TB, w *world, module []byte) {
	metered, _, err := meter.Instrument(module, meter.Options{})
	if err != nil {
		require.True(t, errors.As(err, new(*meter.Error)), "%T", err)
		return
	}
	require.Less(t, len(metered), 20*len(module)+100)
	before, after := valid(t, w, module), valid(t, w, metered)
	require.Equal(t, before, after, "%q: without metering valid: %v", module, before)
}

// valid asks the engine. The engine refuses an empty custom section at the very end, where metering
// may put another: so there is always one of our own.
func valid(t testing.TB, w wazero.Runtime, module []byte) bool {
	m, err := w.CompileModule(t.Context(), append(bytes.Clone(module), custom("end")...))
	if err != nil {
		return false
	}
	require.NoError(t, m.Close(t.Context()))
	return true
}
