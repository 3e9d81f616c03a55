package lua_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/stack"
	"github.com/selvage-dev/selvage/profile"
)

var rewrite = flag.Bool("rewrite", false, "write the golden outputs of testdata/beyond and testdata/guarded")

// bareEnv makes the test binary a bare Lua interpreter: print and io.write of gopher-lua
// cannot be captured in one process.
const bareEnv = "SELVAGE_TEST_BARE_LUA"

func TestMain(m *testing.M) {
	if program := os.Getenv(bareEnv); program != "" {
		L := glua.NewState()
		defer L.Close()
		if err := L.DoFile(program); err != nil {
			fmt.Println(err)
		}
		return
	}
	os.Exit(m.Run())
}

// settings are the configurations of a host. The output of a program must not depend on them.
func settings() map[string]lua.Config {
	all := map[string]lua.Config{
		"coroutine":     {},
		"goroutine":     {Backing: stack.Goroutine},
		"context meter": lua.WithContextMeter(lua.Config{}),
	}
	if lua.CanProfile() {
		all["profiled"] = lua.Config{Profile: profile.Start(profile.Config{Steps: 97})}
	}
	return all
}

// budgets are the tested budgets, from a switch before each instruction to no switch.
func budgets() []int64 {
	if raced {
		return []int64{1, 7, 1 << 40}
	}
	return []int64{1, 2, 3, 4, 5, 6, 7, 1000, 1 << 40}
}

func TestAHostedProgramPrintsWhatItPrintsOnBareGopherLua(t *testing.T) {
	for _, program := range programs(t, "testdata/conformance") {
		everyWay(t, program, bare(t, program))
	}
}

// bare is what a program prints on gopher-lua.
func bare(t *testing.T, program string) string {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), bareEnv+"="+program)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// The thread of a spawned fiber starts small and grows. Only a traceback may show that.
func TestASpawnedFiberHasTheLimitsOfAMainProgram(t *testing.T) {
	for _, program := range []string{"limits", "metatables", "programs", "library"} {
		file := "testdata/conformance/" + program + ".lua"
		want := bare(t, file)
		for name, config := range settings() {
			t.Run(program+"/"+name, func(t *testing.T) {
				d := newDriver(t, config, 10)
				fn, err := d.state.LoadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				d.spawn(d.state.Spawn(d.state.Base()), fn)
				for d.step() {
				}
				if diff := cmp.Diff(want, d.out.String()); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestAHostedProgramMayYieldWhereBareGopherLuaCannot(t *testing.T) {
	golden(t, "testdata/beyond")
}

// golden runs programs that bare gopher-lua gets wrong.
func golden(t *testing.T, dir string) {
	for _, program := range programs(t, dir) {
		golden := strings.TrimSuffix(program, ".lua") + ".out"
		if *rewrite {
			got := hosted(t, lua.Config{}, 1<<40, program)
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		everyWay(t, program, string(want))
	}
}

func everyWay(t *testing.T, program, want string) {
	for name, config := range settings() {
		for _, slice := range budgets() {
			t.Run(fmt.Sprintf("%s/%s/%d", filepath.Base(program), name, slice), func(t *testing.T) {
				if diff := cmp.Diff(want, hosted(t, config, slice, program)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func programs(t *testing.T, dir string) []string {
	files, err := filepath.Glob(dir + "/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs in", dir, err)
	}
	return files
}

// noise runs beside the program on the same Lua state. It is preempted in the most difficult
// places, so that the program fails if a switch leaves the state inconsistent.
const noise = `
local function busy() local n = 0; for i = 1, 3 do n = n + i end; return n end
local t = setmetatable({}, {__index = function(_, k) busy(); return k end})
while true do
	pcall(function() busy(); error({}) end)
	local _ = ("xy"):gsub(".", busy), t[busy()]
	for v in coroutine.wrap(function() coroutine.yield(busy()); pcall(coroutine.yield, 1) end) do busy() end
	table.sort({3, 1, 2}, function(a, b) busy(); return a < b end)
end`

// hosted runs a program beside the noise and returns what it prints.
func hosted(t *testing.T, config lua.Config, slice int64, program string) string {
	d := newDriver(t, config, slice)
	fn, err := d.state.LoadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	main := d.spawn(d.state.Main(), fn)
	if slice < 1<<30 {
		d.start(t, noise)
	}
	for !main.stack.Finished() {
		d.step()
	}
	if main.err != nil {
		fmt.Fprintln(&d.out, main.err)
	}
	return d.out.String()
}
