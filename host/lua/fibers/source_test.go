package fibers

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAProgramThatIsTooDeepOrTooLargeIsAGuestErrorWithItsName(t *testing.T) {
	for program, message := range map[string]string{
		"\nreturn" + strings.Repeat(" not", 1_000_000) + " a": "program.lua:2: chunk has too many syntax levels",
		strings.Repeat(" ", 65<<20):                           "program.lua: chunk is larger than 64 MB",
	} {
		h := New(Config{})
		_, err := h.Run(context.Background(), strings.NewReader(program), "program.lua")
		require.Equal(t, &GuestError{Message: message}, err)
		h.Close()
	}
}
