package peers

import (
	"bytes"
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed lua erlang/contender.erl tokio/Cargo.toml tokio/src
var programs embed.FS

// unpack writes the programs into the folder. An unchanged file keeps its date, so that cargo
// does not compile it again.
func unpack(dir string) error {
	return fs.WalkDir(programs, ".", func(name string, d fs.DirEntry, err error) error {
		file := filepath.Join(dir, filepath.FromSlash(name))
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(file, 0o755)
		}
		text, err := programs.ReadFile(name)
		if err != nil {
			return err
		}
		if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, text) {
			return nil
		}
		return os.WriteFile(file, text, 0o644)
	})
}
