package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/long"
)

func parsedProfile(t *testing.T, name string) *pprof.Profile {
	t.Helper()
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	p, err := pprof.Parse(file)
	require.NoError(t, err)
	require.NoError(t, p.CheckValid())
	return p
}

// How many samples the program gets depends on the machine, but not which function has them.
func TestTheProfileOfALuaProgramNamesWhatRuns(t *testing.T) {
	guest(t, `local function spin()
  for i = 1, 5e6 do end
end
fiber.spawn(spin):join()`, "--cpuprofile", "p.pb.gz").want(t, statusDone)
	p := parsedProfile(t, "p.pb.gz")
	require.Equal(t, "p.lua", p.Mapping[0].File)
	require.Equal(t, "cpu", p.SampleType[1].Type)
	for _, s := range p.Sample {
		last := s.Location[len(s.Location)-1].Line[0].Function
		require.Contains(t, []string{"spin", "main chunk"}, last.Name)
		require.Equal(t, "p.lua", last.Filename)
	}
}

func TestTheProfileOfAProgramThatFailsIsWritten(t *testing.T) {
	guest(t, `error("no luck")`, "--cpuprofile", "p.pb.gz").want(t, statusGuest, "no luck")
	parsedProfile(t, "p.pb.gz")
}

func TestWhatCannotBeProfiledIsRefusedByName(t *testing.T) {
	files{"p.lua": "print(1)", "p.go": "package main\n\nfunc main() {}\n", "p.wasm": ""}.write(t)
	for _, refused := range []struct{ flags, says string }{
		{"--copies=2 p.lua", "--cpuprofile: there is one profile for one program; leave --copies out"},
		{"--schedule=1 p.lua", "--cpuprofile: a run under a --schedule has none"},
		{"p.wasm", "--cpuprofile: a WebAssembly program has none here"},
		{"--jit=eager p.go", "--jit=eager, --jit-stats: with --cpuprofile nothing becomes machine code"},
		{"--jit-stats p.go", "leave them out"},
	} {
		e := selvage(t, append([]string{"run", "--cpuprofile", "out.pb.gz"}, strings.Fields(refused.flags)...)...)
		e.want(t, statusUsage, refused.says)
		require.Empty(t, e.out, "nothing runs")
		require.NoFileExists(t, "out.pb.gz")
	}
	e := selvage(t, "run", "--cpuprofile", "missing/out.pb.gz", "p.lua")
	e.want(t, statusUsage, "cannot write the profile: open missing/out.pb.gz")
	require.Empty(t, e.out, "nothing runs")
}

func TestTheProfileOfAGoProgramIsWritten(t *testing.T) {
	files{"p.go": "package main\n\nfunc main() {\n\tfor i := 0; i < 1000; i++ {\n\t}\n}\n"}.write(t)
	selvage(t, "run", "--cpuprofile", "p.pb.gz", "p.go").want(t, statusDone)
	for _, f := range parsedProfile(t, "p.pb.gz").Function {
		require.Contains(t, f.Name, "main.")
	}
}

func TestGoToolPprofShowsTheFunctionsOfAProgram(t *testing.T) {
	if !long.On(t) {
		return
	}
	files{"p.lua": `local Account = {}
function Account.deposit()
  for i = 1, 1e7 do end
end
Account.deposit()
pcall(function() Account.deposit() end)`, "p.go": `package main

func work(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += i
	}
	return sum
}

func main() { func() { work(20_000_000) }() }
`}.write(t)
	for program, functions := range map[string][]string{
		"p.lua": {"Account.deposit", "function <p.lua:6>", "main chunk"},
		"p.go":  {"main.work", "main.main.func1", "main.main"},
	} {
		selvage(t, "run", "--cpuprofile", "p.pb.gz", program).want(t, statusDone)
		out, err := exec.CommandContext(t.Context(), "go", "tool", "pprof", "-top", "p.pb.gz").CombinedOutput()
		require.NoError(t, err, string(out))
		for _, function := range functions {
			require.Contains(t, string(out), function)
		}
	}
}
