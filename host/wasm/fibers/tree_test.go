//go:build unix && !race

package fibers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/sandbox"
)

// session is what a program does with its files, and the result of each operation.
const session = `
	write /d/a 0123 =
	append /d/a 45 =
	read /d/a = 012345
	truncate /d/a =
	read /d/a = 0
	create /d/a x = error: open /d/a: File exists
	create /d/b x =
	stat /d/b = ---------- 1
	read /d/none = error: open /d/none: No such file or directory
	mkdir /d/m =
	mkdir /d/m = error: mkdir /d/m: File exists
	mkdir /d/none/m = error: mkdir /d/none/m: No such file or directory
	mkdir /d/a/m = error: mkdir /d/a/m: Not a directory
	ls /d = ----------a ----------b ----------f d---------m d---------sub
	ls /d/a = error: open /d/a: Not a directory
	mv /d/b /d/m/c =
	mv /d/m/c /d/m/c =
	mv /d/m /d/m =
	mv /d/m/ /d/m/ =
	mv /d/a/ /d/x = error: Not a directory
	read /d/m/c = x
	mv /d/m /d/a = error: Not a directory
	mv /d/a /d/m = error: Is a directory
	mv /d/sub /d/m = error: Directory not empty
	mv /d/m /d/sub =
	mv /d/sub /d/sub/x = error: Invalid argument
	mkdir /d/sub/x =
	mv /d/sub /d/sub/x = error: Invalid argument
	rm /d/sub/x =
	mv /d/none /d/sub = error: No such file or directory
	read /d/sub/c = x
	write /d/sub x = error: open /d/sub: Is a directory
	rmdir /d/sub = error: Directory not empty
	rmdir /d/a = error: Not a directory
	unlink /d/sub = error: Is a directory
	link /d/sub/c /d/hard =
	link /d/sub/c /d/hard = error: link /d/sub/c /d/hard: File exists
	link /d/sub/c /d/none/h = error: link /d/sub/c /d/none/h: No such file or directory
	append /d/hard y =
	read /d/sub/c = xy
	symlink sub/c /d/l =
	symlink ../a /d/sub/up =
	symlink sub /d/s =
	symlink s/../sub/../s /d/far =
	symlink none /d/dangling =
	symlink loop /d/loop =
	symlink x /d/l = error: symlink x /d/l: File exists
	readlink /d/far = s/../sub/../s
	readlink /d/a = error: readlink /d/a: Invalid argument
	read /d/l = xy
	read /d/far/up = 0
	stat /d/s = d--------- 
	lstat /d/s = L--------- 3
	ls /d/far = ----------c L---------up
	write /d/dangling new =
	read /d/none = new
	read /d/loop = error: open /d/loop: Too many symbolic links
	touch /d/l =
	rmdir /d/s = error: Not a directory
	rmdir /d/s/ = error: Not a directory
	unlink /d/a/ = error: Not a directory
	rm /d/s =
	rm /d/far =
	rm /d/hard =
	rmall /d/sub =
	stat /d/sub = error: stat /d/sub: No such file or directory
	ls /d = ----------a L---------dangling ----------f L---------l L---------loop ----------none`

func TestADirectoryIsAsAProgramExpectsIt(t *testing.T) {
	f := newFence(t)
	var ops, want []string
	for _, line := range strings.Split(strings.TrimSpace(session), "\n") {
		line = strings.TrimSpace(line)
		op, result, _ := strings.Cut(line, " =")
		ops, want = append(ops, op), append(want, op+" ="+result)
	}
	for i, line := range f.run(t, sandbox.Dir{}, ops...) {
		if strings.HasPrefix(ops[i], "stat /d/s") && strings.Contains(want[i], "d---") {
			line = line[:strings.LastIndex(line, " ")] // the size of a directory is the file system's
		}
		require.Equal(t, want[i], strings.TrimSpace(line))
	}
}

func TestTheTimesOfAFileAreSetToTheNanosecond(t *testing.T) {
	f := newFence(t)
	f.run(t, sandbox.Dir{}, "symlink f /d/l", "touch /d/l")
	info, err := os.Stat(filepath.Join(f.inside, "f"))
	require.NoError(t, err)
	require.Equal(t, time.Unix(2, 500), info.ModTime())
}

func TestADirectoryThatIsNotThereIsAnError(t *testing.T) {
	for _, name := range []string{"none", "f"} {
		f := newFence(t)
		dirs := []sandbox.Dir{{Host: f.inside, Guest: "/ok"}, {Host: filepath.Join(f.inside, name), Guest: "/d"}}
		e := play(t, fibers.Config{Access: sandbox.Access{Dirs: dirs}}, program(t, "tree"), "ls /d")
		require.ErrorContains(t, e.err, name)
		var missing *os.PathError
		require.ErrorAs(t, e.err, &missing)
	}
}
