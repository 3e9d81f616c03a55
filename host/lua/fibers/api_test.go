package fibers

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/stackful"
)

// The programs in testdata have their expected output, line by line, in comments that start with
// -->. There @ is the file:line of the comment, and … matches anything.

func TestTheGuestAPIDoesWhatItsStoriesTell(t *testing.T) { tellAll(t, "testdata/api", "") }

// company runs beside a program on the same Lua state. It is preempted and waits in the most
// difficult places, so that the program fails if a switch leaves the state inconsistent.
const company = `
fiber.spawn(function()
	local function busy() local n = 0; for i = 1, 3 do n = n + i end; fiber.yield(); return n end
	local t = setmetatable({}, {__index = function(_, k) busy(); return k end})
	while true do
		fiber.sleep(0.01)
		pcall(function() busy(); error({}) end)
		local _ = ("xy"):gsub(".", busy), t[busy()]
		for v in coroutine.wrap(function() coroutine.yield(busy()); pcall(coroutine.yield, 1) end) do busy() end
		table.sort({3, 1, 2}, function(a, b) busy(); return a < b end)
	end
end) `

func TestBlockingWorksWhereverLuaCodeCanRun(t *testing.T) { tellAll(t, "testdata/hosting", company) }

// tellAll runs every program of a folder with every budget, and on the other backing.
func tellAll(t *testing.T, dir, before string) {
	files, err := filepath.Glob(dir + "/*.lua")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		ways := map[string]Config{"goroutines": {Runtime: stackful.Config{Backing: stackful.Goroutine}, Lua: lua.Config{Backing: stackful.Goroutine}}}
		for _, n := range budgets() {
			ways[fmt.Sprint(n)] = slice(n)
		}
		for way, cfg := range ways {
			t.Run(filepath.Base(file)+"/"+way, func(t *testing.T) {
				s := set(t, cfg)
				_, err := s.Run(s.ctx, strings.NewReader(strings.ReplaceAll(before, "\n", " ")+string(source)), filepath.Base(file), "one", "two")
				require.NoError(t, err)
				compare(t, expected(filepath.Base(file), string(source)), s.printed())
				require.Empty(t, s.failed)
			})
		}
	}
}

// expected are the patterns of the lines that a program says it prints.
func expected(file, source string) (patterns []string) {
	for i, line := range strings.Split(source, "\n") {
		if _, text, found := strings.Cut(line, "--> "); found {
			text = regexp.QuoteMeta(strings.ReplaceAll(text, "@", fmt.Sprintf("%s:%d", file, i+1)))
			patterns = append(patterns, "^"+strings.ReplaceAll(text, "…", ".*")+"$")
		}
	}
	return patterns
}

func compare(t *testing.T, patterns []string, printed string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(printed, "\n"), "\n")
	for i, line := range lines {
		line = strings.ReplaceAll(line, "\t", " ")
		if i >= len(patterns) {
			t.Errorf("line %d: unexpected %q", i+1, line)
		} else if !regexp.MustCompile(patterns[i]).MatchString(line) {
			t.Errorf("line %d: %q does not match %s", i+1, line, patterns[i])
		}
	}
	if len(lines) < len(patterns) {
		t.Errorf("%d lines, then none that match %s", len(lines), patterns[len(lines):])
	}
}
