package recorder

// maxTexts is how many different names, places and functions, each, a Recorder keeps. Later ones are not known.
const maxTexts = 1 << 16

// texts gives each text a number from 1; 0 is no text.
type texts struct {
	all   []string
	known map[string]uint32
}

func (t *texts) number(text string) uint32 {
	if text == "" {
		return 0
	}
	if n, ok := t.known[text]; ok {
		return n
	}
	if len(t.all) == maxTexts {
		return 0
	}
	if t.known == nil {
		t.known = map[string]uint32{}
	}
	t.all = append(t.all, text)
	t.known[text] = uint32(len(t.all))
	return uint32(len(t.all))
}

func (t *texts) at(n uint32) string {
	if n == 0 {
		return ""
	}
	return t.all[n-1]
}
