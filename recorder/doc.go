// Package recorder keeps the recent events of a scheduler: which fiber changed its state, when, by which
// other fiber, on which object and at which place of its program. The memory is bounded, and the oldest
// events make room for new ones. It also sums up, for each fiber, since when it is in its state and how
// long it ran, and for all of them how long time slices and wake-ups take.
//
// A Recorder costs a few nanoseconds for each event: the scheduler hands over the entries of its history once a turn, and
// what they mean is worked out later. So the instants of a turn that takes less than some microseconds are
// shared out evenly among its slices, and objects and places are known of the last wait of a fiber in a
// turn. With Config.Exact each slice has a turn of its own.
package recorder
