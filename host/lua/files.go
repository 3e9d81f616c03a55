package lua

import (
	"io"
	"os"

	glua "github.com/yuin/gopher-lua"
)

// Files are the files from which programs load code. A Go function of L calls the methods; they may
// suspend the fiber.
type Files interface {
	// Read returns the content of a file, or of the standard input if the name is empty.
	Read(L *glua.LState, name string) (string, error)
	// Find returns an error if there is no file with the name.
	Find(L *glua.LState, name string) error
}

// ProcessFiles are the files of the process.
type ProcessFiles struct{}

// Read implements Files.
func (ProcessFiles) Read(_ *glua.LState, name string) (string, error) {
	if name == "" {
		return readAll(os.Stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	return readAll(file)
}

// Find implements Files.
func (ProcessFiles) Find(_ *glua.LState, name string) error {
	_, err := os.Stat(name)
	return err
}

// readAll reads a source to its end, or one byte more than maxSource.
func readAll(r io.Reader) (string, error) {
	source, err := io.ReadAll(io.LimitReader(r, maxSource+1))
	return string(source), err
}
