// Package wire is the frame format of what islands send to other processes: header, fields,
// checksum, and a reader that never panics on bytes from an untrusted source. Package island
// encodes commands with it, package bridge its packets.
//
// A frame is
//
//	"SV" | version | form | fields of the form | CRC-32C of all before
//
// with numbers in big endian and texts preceded by their length (uint32). A frame that is
// truncated, has flipped bits, is of another version, or has a field out of range is
// refused, and nothing of it is used. What it never does: keep a frame, or decide what a field
// means.
package wire
