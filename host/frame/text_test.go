package frame_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/host/frame"
)

func TestATextThatFitsIsWhole(t *testing.T) {
	full := strings.Repeat("ä", frame.MaxText)
	require.Equal(t, full, frame.Clip(full))
	require.Equal(t, "", frame.Clip(""))
	require.Equal(t, `"a\n\"b\" \xff"`, frame.Quote("a\n\"b\" \xff"))
	full = strings.Repeat("x", frame.MaxText-2)
	require.Equal(t, strconv.Quote(full), frame.Quote(full))
}

func TestATextThatIsCutSaysSo(t *testing.T) {
	long := strings.Repeat("ä", frame.MaxText+1)
	require.Equal(t, strings.Repeat("ä", frame.MaxText-1)+"…", frame.Clip(long))
	require.Equal(t, `"`+strings.Repeat("ä", frame.MaxText-3)+`"…`, frame.Quote(long))
	require.Equal(t, `"`+strings.Repeat(`\xff`, (frame.MaxText-3)/4)+`"…`, frame.Quote(strings.Repeat("\xff", 1000)))
}

func TestAnyTextIsValidAndShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.StringN(0, 200, -1).Draw(t, "text")
		for _, shown := range []string{frame.Clip(text), frame.Quote(text)} {
			require.True(t, utf8.ValidString(shown))
			require.LessOrEqual(t, utf8.RuneCountInString(shown), frame.MaxText)
		}
		if quoted := frame.Quote(text); !strings.HasSuffix(quoted, "…") {
			back, err := strconv.Unquote(quoted)
			require.NoError(t, err)
			require.Equal(t, text, back)
		}
	})
}
