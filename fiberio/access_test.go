package fiberio_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

func newSandboxed(t *testing.T, access sandbox.Access) *fixture {
	t.Helper()
	return newFixtureIn(t, scheduler.Config{}, fiberio.Config{Access: access})
}

// refused asserts that an error is a refusal that names the field.
func (w *fixture) refused(err error, field string, what ...any) {
	w.Helper()
	var refused *sandbox.AccessError
	if assert.ErrorAs(w, err, &refused, what...) {
		assert.Equal(w, field, refused.Field, what...)
	}
}

func TestAZeroAccessReachesNothing(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	w := newSandboxed(t, sandbox.Access{})
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	w.alone(func(f *stackful.Fiber) {
		_, err := w.world.ReadFile(f, secret, fiber.Never)
		w.refused(err, "Dirs")
		_, err = w.world.OpenFile(f, secret, os.O_RDWR|os.O_CREATE, 0o600, fiber.Never)
		w.refused(err, "Dirs")
		w.refused(w.world.WriteFile(f, secret, nil, 0o600, fiber.Never), "Dirs")
		_, err = w.world.Stat(f, secret, fiber.Never)
		w.refused(err, "Dirs")
		_, err = w.world.ReadDir(f, "/", fiber.Never)
		w.refused(err, "Dirs")
		_, err = w.world.Dial(f, "tcp", server.Listener.Addr().String(), fiber.Never)
		w.refused(err, "Dial")
		_, err = w.world.DialTLS(f, "tcp", server.Listener.Addr().String(), fiber.Never)
		w.refused(err, "Dial")
		_, err = w.world.Dial(f, "unix", "/run/any.sock", fiber.Never)
		w.refused(err, "")
		_, err = w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		w.refused(err, "Listen")
		_, err = w.world.Listen(f, "unix", filepath.Join(t.TempDir(), "s"), fiber.Never)
		w.refused(err, "")
		_, err = w.world.LookupHost(f, "localhost", fiber.Never)
		w.refused(err, "Dial")
		_, err = w.world.Run(f, fiberio.Command{Path: "/bin/sh"}, fiber.Never)
		w.refused(err, "Programs")
		_, err = w.fetch(f, server.URL)
		w.refused(err, "Dial")
		n, err := w.world.Stdin().Read(f, make([]byte, 1), fiber.Never)
		assert.Equal(w, 0, n)
		assert.Equal(w, io.EOF, err)
	})
}

func (w *fixture) fetch(f *stackful.Fiber, url string) (*fiberio.Response, error) {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	require.NoError(w, err)
	return w.world.Fetch(f, r, fiber.Never)
}

func TestFilesAreThoseOfTheAccess(t *testing.T) {
	dir := t.TempDir()
	w := newSandboxed(t, sandbox.Access{Dirs: []sandbox.Dir{{Host: dir, Guest: "/data"}, {Host: dir, Guest: "/ro", ReadOnly: true}}})
	w.alone(func(f *stackful.Fiber) {
		require.NoError(w, w.world.WriteFile(f, "/data/a", []byte("text"), 0o600, fiber.Never))
		w.refused(w.world.WriteFile(f, "/ro/a", nil, 0o600, fiber.Never), "Dirs")
		text, err := w.world.ReadFile(f, "/ro/a", fiber.Never)
		require.NoError(w, err)
		assert.Equal(w, "text", string(text))
		entries, err := w.world.ReadDir(f, "/data", fiber.Never)
		require.NoError(w, err)
		assert.Len(w, entries, 1)
		file, err := w.world.OpenFile(f, "/data/a", os.O_RDONLY, 0, fiber.Never)
		require.NoError(w, err)
		assert.Equal(w, "/data/a", file.Name())
		assert.NoError(w, file.Close())
		require.NoError(w, os.Symlink("/etc/passwd", filepath.Join(dir, "link")))
		_, err = w.world.ReadFile(f, "/data/link", fiber.Never)
		w.refused(err, "Dirs")
		_, err = w.world.OpenFile(f, "/data/../etc/passwd", os.O_RDONLY, 0, fiber.Never)
		w.refused(err, "Dirs")
	})
}

func TestConnectionsAreThoseOfTheAccess(t *testing.T) {
	local, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer local.Close()
	address := local.Addr().String()
	w := newSandboxed(t, sandbox.Access{Dial: []string{address, "*:*"}, Listen: []string{"127.0.0.1:*"}})
	w.alone(func(f *stackful.Fiber) {
		c, err := w.world.Dial(f, "tcp", address, fiber.Never)
		require.NoError(w, err)
		assert.NoError(w, c.Close())
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		assert.NoError(w, l.Close())
		_, err = w.world.Dial(f, "tcp", l.Addr().String(), fiber.Never)
		w.refused(err, "Dial", "another port of the same address")
		_, err = w.world.Listen(f, "tcp", ":0", fiber.Never)
		w.refused(err, "Listen", "all addresses of the machine")
		_, err = w.world.Listen(f, "tcp", "0.0.0.0:0", fiber.Never)
		w.refused(err, "Listen")
	})
}

// A name that changes its address between two lookups is checked at the address that is dialed. The first
// connection to the local port is that of the test.
func TestANameThatLeadsToALocalAddressIsRefusedWhenItIsDialed(t *testing.T) {
	local, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer local.Close()
	_, port, err := net.SplitHostPort(local.Addr().String())
	require.NoError(t, err)
	for _, entry := range []string{"rebind.example:" + port, "*:" + port, "*:*"} {
		var lookups atomic.Int32
		w := newSandboxed(t, sandbox.Access{Dial: []string{entry}})
		fiberio.ResolveBy(w.world, func(string) [4]byte {
			if lookups.Add(1) == 1 {
				return [4]byte{93, 184, 216, 34}
			}
			return [4]byte{127, 0, 0, 1}
		})
		w.alone(func(f *stackful.Fiber) {
			addresses, err := w.world.LookupHost(f, "rebind.example", fiber.Never)
			require.NoError(w, err)
			assert.Equal(w, []string{"93.184.216.34"}, addresses)
			_, err = w.world.Dial(f, "tcp", "rebind.example:"+port, fiber.Never)
			w.refused(err, "Dial")
			assert.ErrorContains(w, err, "its address is 127.0.0.1:"+port+", which is not public")
			_, err = w.world.DialTLS(f, "tcp", "rebind.example:"+port, fiber.Never)
			w.refused(err, "Dial")
			_, err = w.fetch(f, "http://rebind.example:"+port+"/")
			w.refused(err, "Dial")
		})
	}
	own, err := net.Dial("tcp", local.Addr().String())
	require.NoError(t, err)
	defer own.Close()
	first, err := local.Accept()
	require.NoError(t, err)
	defer first.Close()
	assert.Equal(t, own.LocalAddr().String(), first.RemoteAddr().String())
}

func TestANameIsLookedUpOnlyIfAnEntryMayReachIt(t *testing.T) {
	var asked []string
	w := newSandboxed(t, sandbox.Access{Dial: []string{"known.example:443", "127.0.0.1:80"}})
	fiberio.ResolveBy(w.world, func(name string) [4]byte {
		asked = append(asked, name)
		return [4]byte{10, 0, 0, 1}
	})
	w.alone(func(f *stackful.Fiber) {
		for _, name := range []string{"secret.unknown.example", "secret.known.example"} {
			_, err := w.world.LookupHost(f, name, fiber.Never)
			w.refused(err, "Dial")
			_, err = w.world.Dial(f, "tcp", name+":443", fiber.Never)
			w.refused(err, "Dial")
			_, err = w.fetch(f, "https://"+name+"/")
			w.refused(err, "Dial")
		}
		_, err := w.world.Dial(f, "tcp", "known.example:80", fiber.Never)
		w.refused(err, "Dial")
		assert.Empty(w, asked)
		_, err = w.world.Dial(f, "tcp", "known.example:443", fiber.Never)
		w.refused(err, "Dial", "a private address")
		assert.Equal(w, []string{"known.example"}, asked)
	})
}

func TestARedirectIsCheckedLikeARequest(t *testing.T) {
	var hits atomic.Int32
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer inner.Close()
	outer := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		http.Redirect(out, r, strings.TrimPrefix(r.URL.Path, "/to/"), http.StatusFound)
	}))
	defer outer.Close()
	allowed := newSandboxed(t, sandbox.Access{Dial: []string{outer.Listener.Addr().String()}})
	_, port, _ := net.SplitHostPort(inner.Listener.Addr().String())
	allowed.alone(func(f *stackful.Fiber) {
		for _, target := range []string{inner.URL, "http://localhost:" + port, "http://[::1]:" + port, "http://[::ffff:127.0.0.1]:" + port, "http://0.0.0.0:" + port, "http://0:" + port} {
			_, err := allowed.fetch(f, outer.URL+"/to/"+target+"/")
			allowed.refused(err, "Dial", target)
		}
		for _, target := range []string{"file:///etc/passwd", "unix:///run/any.sock", "ftp://127.0.0.1/"} {
			_, err := allowed.fetch(f, outer.URL+"/to/"+target)
			assert.Error(t, err, target)
		}
	})
	assert.Zero(t, hits.Load())
}

func TestAProxyOfTheEnvironmentIsOnlyForTheProcess(t *testing.T) {
	assert.False(t, fiberio.UsesProxy(newSandboxed(t, sandbox.Access{Dial: []string{"*:*"}}).world))
	assert.True(t, fiberio.UsesProxy(newSandboxed(t, sandbox.Process()).world))
}

func TestAProcessHasTheEnvironmentAndTheDirectoriesOfTheAccess(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SECRET", "secret")
	w := newSandboxed(t, sandbox.Access{Programs: []string{"sh"}, Env: []string{"A=1"}, Dirs: []sandbox.Dir{{Host: dir, Guest: "/data"}}})
	exit, err := w.script(fiberio.Command{Dir: "/data"})
	require.NoError(t, err)
	assert.Equal(t, "sh 1 \n"+dir+"\n", string(exit.Stdout))
	_, err = w.script(fiberio.Command{Dir: "/"})
	w.refused(err, "Dirs")
	_, err = w.script(fiberio.Command{Dir: "/data/none"})
	assert.EqualError(t, err, "chdir /data/none: no such file or directory")
}

func TestAnEmptyEnvironmentIsNotThatOfTheProcess(t *testing.T) {
	t.Setenv("SECRET", "secret")
	exit, err := newSandboxed(t, sandbox.Access{Programs: []string{"sh"}}).script(fiberio.Command{})
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(exit.Stdout), "sh  \n"))
}

// script runs a process that shows its name, its environment and its directory.
func (w *fixture) script(c fiberio.Command) (exit *fiberio.Exit, err error) {
	c.Path, c.Args = "sh", []string{"-c", `echo "$0 $A $SECRET"; pwd`}
	w.alone(func(f *stackful.Fiber) { exit, err = w.world.Run(f, c, fiber.Never) })
	return exit, err
}

func TestAWorldWithAnEntryWithoutAMeaningIsNotMade(t *testing.T) {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	for _, access := range []sandbox.Access{{Dial: []string{"x"}}, {Listen: []string{"x"}}, {Dirs: []sandbox.Dir{{}}}} {
		_, err := fiberio.New(rt, fiberio.Config{Access: access})
		assert.ErrorAs(t, err, new(*sandbox.EntryError))
	}
}
