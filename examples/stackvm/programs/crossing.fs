\ Two fibers sort, and each comparison waits for a value. The first sort gets its value first. If
\ native calls park, it goes on. If they nest, it is buried: the frames of the second sort lie
\ above its own on one native stack, and the second sort fails by name instead of waiting on.
0 chan constant first
0 chan constant second

: from-first ( a b -- n ) first recv drop - ;
: from-second ( a b -- n ) second recv drop - ;
: sorts-first ( x -- ) 2 1 2 ' from-first sort "first sort" . drop drop ;
: sorts-second ( x -- ) 2 1 2 ' from-second sort "second sort" . drop drop ;

0 ' sorts-first spawn constant one
0 ' sorts-second spawn constant two
yield
1 first send
one join drop drop
1 second send
two join drop drop
