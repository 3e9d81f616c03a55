\ Each waits for the other, one of them in a comparison of a native sort.
0 chan constant ping
0 chan constant pong

: asks ( a b -- n ) ping recv ;
: waits ( x -- ) 2 1 2 ' asks sort 1 pong send ;
: answers ( x -- ) pong recv ping send ;

0 ' waits spawn drop
0 ' answers spawn join
