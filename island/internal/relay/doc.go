// Package relay is the contract between package island and package bridge: what an island
// asks of a bridge, and what a bridge needs of an island, a port and a sender beyond their
// exported methods. Package island implements Island, Port and Sender by unexported types,
// package bridge implements Bridge; neither part is meant for programs.
//
// All methods are called by the owner of the island, except where one says otherwise.
package relay
