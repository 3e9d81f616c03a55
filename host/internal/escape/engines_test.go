//go:build unix && !race

package escape_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"go.uber.org/goleak"

	luafibers "github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/host/wasm"
	wasmfibers "github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/wallclock"
)

// inLua runs statements. What they print and the errors are returned. The function show prints the
// results of a function, and what can be read from a file among them.
func inLua(t *testing.T, access sandbox.Access, text string) string {
	t.Helper()
	return inLuaWith(t, luafibers.Config{Access: access}, text)
}

func inLuaWith(t *testing.T, cfg luafibers.Config, text string) string {
	t.Helper()
	var out bytes.Buffer
	cfg.Access.Stdout, cfg.Access.Stderr = &out, &out
	cfg.Runtime.Clock = wallclock.New()
	h := luafibers.New(cfg)
	defer h.Close()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	_, err := h.Run(ctx, strings.NewReader(`local function show(f, ...)
			for _, v in ipairs{ pcall(f, ...) } do
				print(v)
				if type(v) == "table" then for k, x in pairs(v) do print(k, x) end end
				local read, text = pcall(function() return v:read("*a") end)
				print(text)
				pcall(function() print(v()) end)
				pcall(function() v:close() end)
			end
		end
		`+text), "escape.lua")
	return out.String() + fmt.Sprint(err)
}

// inGo compiles and runs a function main.
func inGo(t *testing.T, access sandbox.Access, imports, body string) string {
	t.Helper()
	var out bytes.Buffer
	access.Stdout, access.Stderr = &out, &out
	text := "package main\n"
	for _, path := range strings.Fields(imports) {
		text += "import \"" + path + "\"\n"
	}
	program, err := minigo.Compile(minigo.File{Name: "escape.go", Text: []byte(text + "func main() {\n" + body + "\n}\n")})
	if err != nil {
		return "refused: " + err.Error()
	}
	h, err := minigo.New(program, minigo.Config{Access: access})
	require.NoError(t, err)
	return out.String() + fmt.Sprint(h.Run(t.Context()), out.String())
}

// wasmPrograms are those of host/wasm/fibers, by name, built with the Go that runs the tests.
var wasmPrograms = map[string][]byte{}

func TestMain(m *testing.M) {
	if err := buildWasm(); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

func buildWasm() error {
	dir, err := os.MkdirTemp("", "selvage-escape")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"tree", "command"} {
		out := filepath.Join(dir, name)
		cmd := exec.Command("go", "build", "-o", out, filepath.Join("../../wasm/fibers/testdata", name, "main.go"))
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
		if text, err := cmd.CombinedOutput(); err != nil {
			return errors.New(string(text))
		}
		if wasmPrograms[name], err = os.ReadFile(out); err != nil {
			return err
		}
	}
	return nil
}

var wasmCache = wazero.NewCompilationCache()

// inWasm runs a program of host/wasm/fibers/testdata with arguments.
func inWasm(t *testing.T, access sandbox.Access, program string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	access.Stdout, access.Stderr = &out, &out
	h, err := wasmfibers.New(wasmfibers.Config{Access: access, Wasm: wasm.Config{Cache: wasmCache}})
	require.NoError(t, err)
	defer h.Close()
	status, err := h.Run(t.Context(), "escape.wasm", wasmPrograms[program], args...)
	return out.String() + fmt.Sprint(status, err)
}
