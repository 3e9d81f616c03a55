// Package timelinetest reads timelines in tests, and holds them against the rules of their format: every track
// and process has a name, the intervals of a track follow each other, every arrow goes from one time slice of a scheduler
// to another, and the counters count the intervals. It owns nothing, and never writes.
package timelinetest
