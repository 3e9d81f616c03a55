package fibers

import (
	"fmt"
	"os"
	"strings"
	"unicode/utf8"
)

// readSource reads a program. A file that is no text would give a syntax error that
// helps nobody, so it is refused by name.
func readSource(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	text := string(data)
	if strings.HasPrefix(text, "\x1bLua") {
		return "", &GuestError{Message: fmt.Sprintf("%s: is compiled Lua; give the source", path)}
	}
	if strings.ContainsRune(text, 0) && !utf8.ValidString(text) {
		return "", &GuestError{Message: fmt.Sprintf("%s: is not a Lua program: it holds binary data", path)}
	}
	if strings.HasPrefix(text, "#") {
		text = "--" + text // keeps the line numbers
	}
	return text, nil
}
