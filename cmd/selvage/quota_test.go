package main

import (
	"strings"
	"testing"
)

// wasteful are programs that pass each quota, by language.
var wasteful = map[string]map[string]string{
	"--max-steps 100000": {
		"p.wasm": "func _start () export loop br 0 end end",
		"p.lua":  "while true do end",
		"p.go":   "for { }",
	},
	"--max-memory 1MiB": {
		"p.lua":  "local t = {} for i = 1, 1e9 do t[i] = {} end",
		"p.go":   "var all [][]int; for { all = append(all, make([]int, 100)) }",
		"p.wasm": "func _start () export loop i32.const 1 memory.grow drop br 0 end end",
	},
	"--max-output 100KB": {
		"p.lua":  "while true do print('x') end",
		"p.go":   `for { println("x") }`,
		"p.wasm": "func _start () export loop call up br 0 end end",
	},
	"--max-time 20ms": {
		"p.wasm": "func _start () export loop br 0 end end",
		"p.lua":  "while true do end",
		"p.go":   "for { }",
	},
}

func TestAProgramThatPassesAQuotaEndsWithItsNameAndTheFlag(t *testing.T) {
	for flags, programs := range wasteful {
		flag, limit, _ := strings.Cut(flags, " ")
		resource := strings.TrimPrefix(flag, "--max-")
		for name, text := range programs {
			t.Run(resource+" "+name, func(t *testing.T) {
				run := guest
				switch name {
				case "p.wasm":
					run = wasmGuest
				case "p.go":
					run = goMain
				}
				e := run(t, text, flag, limit)
				e.want(t, statusGuest, "the quota is used up: "+resource+", limit ", "selvage: the flag for this quota is "+flag+" ")
			})
		}
	}
}

// Each copy has the quota for itself.
func TestEachCopyHasTheQuota(t *testing.T) {
	const up = "func _start () export call up end"
	wasmGuest(t, up, "--max-output", "3", "--copies", "4").wantOut(t, strings.Repeat("up\n", 4))
	wasmGuest(t, up, "--max-output", "2", "--copies", "2").want(t, statusGuest, "copy 1: ", "copy 2: ")
}

// goMain runs a Go program of one function, as p.go, with flags.
func goMain(t *testing.T, body string, flags ...string) ending {
	t.Helper()
	files{"p.go": "package main\n\nfunc main() { " + body + " }\n"}.write(t)
	return selvage(t, append(append([]string{"run"}, flags...), "p.go")...)
}
