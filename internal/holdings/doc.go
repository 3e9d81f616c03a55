// Package holdings keeps what one owner has acquired, in the order in which it acquired it: the
// locks and links of a fiber. Package scheduler uses it.
//
// The usual order of release is the reverse one, and costs an append and a truncation. Any other
// order costs O(1) amortized: from Small elements on, the first such release builds an index.
// The package never calls an element, and never orders elements by anything but time.
package holdings
