package frame

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxText is how many characters a Variable.Value has at most.
const MaxText = 120

// ellipsis ends a text that was cut.
const ellipsis = "…"

// Clip returns the text with at most MaxText characters, the last one "…" if some are missing, and the
// replacement character for bytes that are not UTF-8. It reads no more of the text than it returns.
func Clip(text string) string {
	count, cut := 0, len(text)
	for at := range text {
		if count == MaxText-1 {
			cut = at
		}
		if count++; count > MaxText {
			return strings.ToValidUTF8(text[:cut], string(utf8.RuneError)) + ellipsis
		}
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}

// Quote returns the text as Go quotes it, with at most MaxText characters: a longer one ends with a "…" after the
// closing quote. It reads no more of the text than it returns.
func Quote(text string) string {
	start := text[:min(len(text), MaxText*utf8.UTFMax)]
	if whole := strconv.Quote(start); len(start) == len(text) && utf8.RuneCountInString(whole) <= MaxText {
		return whole
	}
	var quoted strings.Builder
	quoted.WriteByte('"')
	room := MaxText - len(`""`) - 1
	for len(start) > 0 {
		_, size := utf8.DecodeRuneInString(start)
		char := strconv.Quote(start[:size])
		char = char[1 : len(char)-1]
		if room -= utf8.RuneCountInString(char); room < 0 {
			break
		}
		quoted.WriteString(char)
		start = start[size:]
	}
	return quoted.String() + `"` + ellipsis
}
