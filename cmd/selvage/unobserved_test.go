package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/asm"
)

// together runs a program whose output and messages are one stream, in the order of the writes.
func together(t *testing.T, name, program string, flags ...string) ending {
	t.Helper()
	files{name: program}.write(t)
	var all bytes.Buffer
	status := run(t.Context(), append(append([]string{"run"}, flags...), name), streams{&all, &all})
	return ending{status: status, out: all.String()}
}

// The program is a server, as far as the test can tell: it goes on after the failure, and what it
// prints then comes after the report. The status is that of a failure, and nothing is printed twice.
func TestAFailureIsReportedWhenItHappens(t *testing.T) {
	for name, c := range map[string]struct {
		file, program string
		report        []string
	}{
		"of a fiber": {"p.lua", `
			fiber.spawn(function() error("boom") end)
			fiber.yield()
			print("up")`, []string{`"p.lua:2" failed and nothing joined it: p.lua:2: boom`, "stack traceback:", "p.lua:2: in function"}},
		"of a fiber of an island": {"p.lua", `
			local p = fiber.port()
			local task = fiber.island("north"):spawn(function(out)
				fiber.spawn(function() error("boom") end)
				fiber.yield()
				out:send(true)
			end, p)
			p:recv()
			print("up")`, []string{`"p.lua:4" failed and nothing joined it: on island "north": p.lua:4: boom`, "stack traceback:", "p.lua:4: in function"}},
		"of a task of an island": {"p.lua", `
			local isl = fiber.island("north")
			isl:spawn(function() error("boom") end)
			isl:spawn(function() for _ = 1, 100 do fiber.yield() end end):join()
			print("up")`, []string{`"p.lua:3" failed and nothing joined it: on island "north": p.lua:3: boom`, "stack traceback:", "p.lua:3: in function"}},
		"of a task of WebAssembly": {"p.wasm", string(asm.Assemble(imports + `
			func child (i64) export unreachable end
			func run () export
				i32.const 64 i32.const 5 i64.const 0 call spawn drop
				i64.const 0 call sleep
				call up
			end`)), []string{`"child" failed and nothing joined it: p.wasm: child: trap: unreachable`, "stack traceback:", ".child(i64)"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := together(t, c.file, c.program)
			require.Equal(t, statusGuest, e.status)
			report, after, found := strings.Cut(e.out, "up\n")
			require.True(t, found, e.out)
			require.Empty(t, after, "it is reported when the run ends")
			for _, piece := range c.report {
				require.Equal(t, 1, strings.Count(report, piece), "%q in %s", piece, report)
			}
		})
	}
}
