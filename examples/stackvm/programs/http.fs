\ Three requests at once, and a sort whose comparison makes requests. The first argument is the
\ address of a server that echoes what is behind the slash.
: fetch ( path -- body ) 0 arg "/" & swap & get ;

"one" ' fetch spawn "two" ' fetch spawn "three" ' fetch spawn
join drop . join drop . join drop .

: weight ( n -- n ) fetch "5" = if 0 else 1 then ;
: compare ( a b -- n ) weight swap weight swap - ;
8 5 9 3 ' compare sort drop drop "first: " swap & .

: refused ( path -- ) get ;
0 arg "/no" & ' refused spawn join if "got " else "error " then swap & .
