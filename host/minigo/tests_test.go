package minigo_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/sandbox"
)

const ofTests = "testdata/tests/kinds_test.go"

// tested is what a file of tests prints on stdout and stderr, and its exit status.
func tested(t *testing.T, name string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	source, err := os.ReadFile(name)
	require.NoError(t, err)
	program, err := minigo.Compile(minigo.File{Name: name, Text: source})
	require.NoError(t, err)
	var out, errs bytes.Buffer
	host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stdout: &out, Stderr: &errs}, Args: append([]string{name}, args...)})
	require.NoError(t, err)
	var exit *minigo.ExitError
	if err := host.Run(t.Context()); err != nil {
		require.ErrorAs(t, err, &exit)
		status = exit.Status
	}
	return out.String(), errs.String(), status
}

func TestAFileOfTestsRunsAsWithGoTest(t *testing.T) {
	stdout, stderr, status := tested(t, ofTests)
	golden := []string{"testdata/tests/stdout.txt", "testdata/tests/stderr.txt"}
	for i, got := range []string{stdout, stderr} {
		if *rewrite {
			require.NoError(t, os.WriteFile(golden[i], []byte(got), 0o644))
		}
		want, err := os.ReadFile(golden[i])
		require.NoError(t, err)
		require.Equal(t, string(want), got)
	}
	require.Equal(t, 1, status)
	if long.On(t) {
		goOut, goErr := byGo(t, ofTests)
		require.Equal(t, goOut, stdout)
		require.Equal(t, goErr, stderr)
	}
}

// byGo is what the binary that go test makes of a file prints, without positions.
func byGo(t *testing.T, name string) (stdout, stderr string) {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "tests")
	out, err := exec.Command("go", "test", "-c", "-o", exe, name).CombinedOutput()
	require.NoError(t, err, "%s", out)
	var prints, errs bytes.Buffer
	cmd := exec.Command(exe)
	cmd.Stdout, cmd.Stderr = &prints, &errs
	require.Error(t, cmd.Run())
	return regexp.MustCompile(`kinds_test\.go:\d+: `).ReplaceAllString(prints.String(), ""), errs.String()
}

func TestATestIsPickedByItsName(t *testing.T) {
	stdout, stderr, status := tested(t, ofTests, "-run", "TestPasses")
	require.Equal(t, "PASS\n", stdout)
	require.Equal(t, "before\nafter 0\n", stderr)
	require.Zero(t, status)
}

// A function main of a file of tests is not run; in another file it is, and the tests are not.
func TestMainIsRunUnlessTheFileIsOneOfTests(t *testing.T) {
	text := []byte("package main\n\nimport \"testing\"\n\nfunc main() { println(`main`) }\n\nfunc TestA(t *testing.T) { println(`test`) }\n")
	for name, want := range map[string]string{"a_test.go": "test\n", "a.go": "main\n"} {
		program, err := minigo.Compile(minigo.File{Name: name, Text: text})
		require.NoError(t, err)
		var errs bytes.Buffer
		host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stderr: &errs}})
		require.NoError(t, err)
		require.NoError(t, host.Run(t.Context()))
		require.Equal(t, want, errs.String())
	}
	_, err := minigo.Compile(minigo.File{Name: "a_test.go", Text: []byte("package x\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { undefined() }\n")})
	require.ErrorContains(t, err, "a_test.go:5:28: undefined: undefined")
}
