package frame

import "strconv"

// MaxFrames is how many calls of a stack a List has at most, besides the Frame in place of the others.
const MaxFrames = 100

// List makes the Frames of a stack with so many calls, the innermost first. at makes one; the innermost call is
// level 0. If there are more than MaxFrames, the ones in the middle become one Frame that tells how many they are, and
// at is not called for them. The result is not nil.
func List(calls int, at func(level int) Frame) []Frame {
	list := make([]Frame, 0, min(calls, MaxFrames+1))
	for level := 0; level < calls; level++ {
		if level == MaxFrames/2 && calls > MaxFrames {
			left := calls - MaxFrames
			list = append(list, Frame{Function: "(" + strconv.Itoa(left) + " more calls)"})
			level += left
		}
		list = append(list, at(level))
	}
	return list
}
