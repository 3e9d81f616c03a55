package frame

// Frame is one call that a guest's fiber is in. It is a copy: it keeps nothing of the guest alive, and does not
// change when the fiber runs on.
type Frame struct {
	// Function is the function's name as the engine tells it, such as "main chunk" or "(anonymous)".
	Function string `json:"function"`
	// File is the source file as the program's messages name it; empty if the function has none.
	File string `json:"file,omitempty"`
	// Line is the line the call has reached, from 1; 0 if it is not known.
	Line int `json:"line,omitempty"`
	// Locals are the variables that the call has at that line, if values were asked for.
	Locals []Variable `json:"locals,omitempty"`
}

// Variable is a variable of a call.
type Variable struct {
	// Name is the name in the source.
	Name string `json:"name"`
	// Value is short text of what the variable holds, as Quote and Clip make it: valid UTF-8, of at most MaxText
	// characters. A text is quoted.
	Value string `json:"value"`
}
