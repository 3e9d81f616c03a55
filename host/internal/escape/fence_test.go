//go:build unix && !race

package escape_test

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/sandbox"
)

// What a guest must not see.
const (
	secret   = "TOP SECRET"
	variable = "ESCAPE_SECRET"
)

// fence is a directory for a guest, /d, and a read-only one, /ro, beside what it must not reach: files, a
// server, a variable of the environment.
type fence struct {
	base, inside, readOnly string
	server                 net.Listener
	visits                 chan struct{} // an element for each connection
}

func newFence(t *testing.T) *fence {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	f := &fence{base: base, inside: filepath.Join(base, "inside"), readOnly: filepath.Join(base, "readonly")}
	for _, dir := range []string{"inside/sub", "readonly", "outside/sub", "tmp"} {
		require.NoError(t, os.MkdirAll(filepath.Join(base, dir), 0o755))
	}
	text := "return '" + secret + "' -- " + secret // as a module of Lua, too
	for _, file := range []string{"secret", "secret.lua", "outside/f", "outside/sub/f"} {
		require.NoError(t, os.WriteFile(filepath.Join(base, file), []byte(text), 0o644))
	}
	for _, dir := range []string{f.inside, f.readOnly} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), []byte("public"), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(base, "program"), []byte("#!/bin/sh\necho "+secret+"\necho x > "+base+"/ran\n"), 0o755))
	t.Setenv(variable, secret)
	t.Setenv("TMPDIR", filepath.Join(base, "tmp"))
	t.Setenv("HTTP_PROXY", f.serve(t))
	t.Chdir(base)
	return f
}

// serve answers each connection with the secret, and returns the URL.
func (f *fence) serve(t *testing.T) string {
	var err error
	f.server, err = net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	f.visits = make(chan struct{}, 1<<12)
	ended := make(chan struct{})
	t.Cleanup(func() {
		require.NoError(t, f.server.Close())
		<-ended
	})
	go func() {
		defer close(ended)
		for {
			c, err := f.server.Accept()
			if err != nil {
				return
			}
			f.visits <- struct{}{}
			_, _ = fmt.Fprintf(c, "HTTP/1.0 200 OK\r\n\r\n%s", secret)
			_ = c.Close()
		}
	}()
	return "http://" + f.server.Addr().String()
}

func (f *fence) port() string {
	_, port, _ := net.SplitHostPort(f.server.Addr().String())
	return port
}

// beyond describes all that is outside, except what a guest may change.
func (f *fence) beyond(t *testing.T) (all []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(f.base, func(path string, d fs.DirEntry, _ error) error {
		if path == f.inside {
			return filepath.SkipDir
		}
		info, err := d.Info()
		require.NoError(t, err)
		line := fmt.Sprint(path, info.Mode(), info.ModTime())
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			line += string(text)
		}
		all = append(all, line)
		return nil
	}))
	return all
}

// narrow allows the two directories, and an endpoint, a program and a variable that are of no use.
func (f *fence) narrow() sandbox.Access {
	return sandbox.Access{
		Dirs: []sandbox.Dir{{Host: f.inside, Guest: "/d"}, {Host: f.readOnly, Guest: "/ro", ReadOnly: true}}, WorkDir: "/d",
		Dial: []string{"127.0.0.1:1", "*:*", "rebound.example:*"}, Listen: []string{"127.0.0.1:1"},
		Programs: []string{"true"}, Env: []string{"PUBLIC=1"},
	}
}

// with fills in the names of the fence.
func (f *fence) with(text string) string {
	return strings.NewReplacer("BASE", f.base, "PORT", f.port(), "VARIABLE", variable).Replace(text)
}

// holds checks that a guest has reached nothing.
func (f *fence) holds(t *testing.T, before []string, out string) {
	t.Helper()
	require.NotContains(t, out, secret)
	require.NotContains(t, out, "REACHED")
	require.Equal(t, before, f.beyond(t))
	require.Empty(t, f.visits, "connections")
}

// reached returns whether a guest has reached something.
func (f *fence) reached(t *testing.T, before []string, out string) bool {
	t.Helper()
	return strings.Contains(out, secret) || strings.Contains(out, "REACHED") || len(f.visits) > 0 ||
		fmt.Sprint(before) != fmt.Sprint(f.beyond(t))
}
