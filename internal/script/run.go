package script

// World is what the commands of one script act on.
type World interface {
	// Obey carries out the command of a line.
	Obey(Line)
	// TakeOutput is the output since the last call: lines without trailing space, none blank.
	TakeOutput() []string
	// Fault is the first sign of a bug in the library itself, or "".
	Fault() string
}

// Run runs a script in a world. The name is for messages. Any text is a script.
func Run(name, text string, w World) *Result {
	r := &Result{name: name, paragraphs: parse(text)}
	for i := range r.paragraphs {
		for _, l := range r.paragraphs[i].commands {
			if !isComment(l.Text) {
				w.Obey(l)
			}
		}
		r.got = append(r.got, w.TakeOutput())
	}
	r.fault = w.Fault()
	return r
}

// Rewrite replaces the outputs of a script by those that come when it is run.
func Rewrite(text string, run func(text string) *Result) string {
	// The first pass may move lines whose numbers outputs mention; it decides how
	// many lines each output has, so the second is the last that changes anything.
	for range 2 {
		text = run(text).Text()
	}
	return text
}

// Commands are the lines of the script that are commands.
func (r *Result) Commands() (all []Line) {
	for i := range r.paragraphs {
		for _, l := range r.paragraphs[i].commands {
			if !isComment(l.Text) {
				all = append(all, l)
			}
		}
	}
	return all
}
