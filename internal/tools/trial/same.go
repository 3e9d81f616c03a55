package trial

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
)

// Same reports whether the compiler makes the same code of a package (as ./wait) with these
// texts: then there is nothing that a test could notice. The packages are compared and not
// programs, because a linker leaves out what a program does not reach.
func (c *Runner) Same(ctx context.Context, texts map[string][]byte, pkg string) (bool, error) {
	changed, err := c.compile(ctx, texts, pkg)
	if err != nil || changed == nil {
		return false, err
	}
	right, err := c.compile(ctx, nil, pkg)
	return err == nil && bytes.Equal(changed, right), err
}

// compile is the object code of the package without its build ID; nil if it has none.
// Nothing is inlined, or the exports would hold the source of what others may inline.
func (c *Runner) compile(ctx context.Context, texts map[string][]byte, pkg string) ([]byte, error) {
	dir, err := os.MkdirTemp(c.Dir, "trial")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	object := filepath.Join(dir, "package.a")
	if err := c.tool(ctx, dir, texts, "build", "-gcflags=-l", "-o", object, pkg); err != nil {
		return nil, err
	}
	code, err := os.ReadFile(object)
	return regexp.MustCompile(`build id "[^"]*"`).ReplaceAll(code, nil), err
}
