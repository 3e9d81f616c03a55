; A fiber that nothing joins has its failure reported; a failure of the main fiber ends the run.
(define (halve n)
  (/ n (- n n)))
(spawn halve 3)
(yield)
(print "still here")
(halve 4)
