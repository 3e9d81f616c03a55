// Program chat is a chat room on a real socket. The room is a synchronous actor; the door that
// lets guests in, and the ear and the mouth that each of them has, are asynchronous ones: they
// wait for their connections and for their messages. A fiber plays two guests.
//
//	go run ./examples/actor/chat
package main
