\ A producer, two workers, and their results.
0 chan constant jobs
0 chan constant results

: produce ( n -- 0 )
  begin dup jobs send  1 -  dup 0 = until ;

: worker ( name -- )
  begin
    jobs recv                          \ waits for a job
    dup 10 * sleep                     \ works on it for a while
    over " did " & swap & results send \ and reports it
  0 until ;

6 ' produce spawn constant producer
"anna" ' worker spawn drop
"bert" ' worker spawn drop

6 begin results recv .  1 - dup 0 = until drop
producer join drop "left " swap & .
"after ms: " now & .
