package lua

// keptSources are the texts of the chunks that a State has compiled, for State.Source.
type keptSources struct {
	room  int                // bytes that are left of Config.KeepSource
	texts map[string]*string // by the name of the chunk; nil if chunks with different texts had it
}

// KeepSource keeps the text of a chunk that was compiled without the State, as far as Config.KeepSource allows.
func (s *State) KeepSource(chunk, text string) {
	k := &s.sources
	known, found := k.texts[chunk]
	switch size := len(chunk) + len(text); {
	case found && known != nil && *known != text:
		k.room += len(*known)
		k.texts[chunk] = nil
	case found || size > k.room:
	default:
		if k.texts == nil {
			k.texts = map[string]*string{}
		}
		k.room -= size
		k.texts[chunk] = &text
	}
}

// Source is the text of a chunk, if it was kept (Config.KeepSource). Of chunks that have the same name and different
// texts, as those of loadstring may, there is none. The first line of a file is empty, or a comment, if it begins
// with #.
func (s *State) Source(chunk string) (text string, ok bool) {
	if kept := s.sources.texts[chunk]; kept != nil {
		return *kept, true
	}
	return "", false
}
