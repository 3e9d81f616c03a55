// Package os is what minigo has of Go's: the command line, the environment, the end, and two streams.
package os

func Exit(code int)

func args() []string

var Args = args()

// File is one of the streams of the program.
type File struct{ fd int }

var (
	Stdout = &File{1}
	Stderr = &File{2}
)

func write(fd int, s string)

func (f *File) Write(p []byte) (n int, err error) { return f.WriteString(string(p)) }

func (f *File) WriteString(s string) (n int, err error) {
	write(f.fd, s)
	return len(s), nil
}

// Signal is one of the signals, which no program receives.
type Signal interface {
	String() string
	Signal()
}

type signal string

func (s signal) String() string { return string(s) }
func (signal) Signal()          {}

var (
	Interrupt Signal = signal("interrupt")
	Kill      Signal = signal("killed")
)

func Getpid() int { return 1 }

func (f *File) Sync() error  { return nil }
func (f *File) Close() error { return nil }

// LookupEnv finds a variable of the environment.
func LookupEnv(key string) (value string, found bool)

func Getenv(key string) string {
	value, _ := LookupEnv(key)
	return value
}
