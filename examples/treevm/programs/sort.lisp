; A native sort whose comparison sleeps, while another fiber sorts too: neither waits for the other.
(define (slowly ms)
  (fn (a b) (sleep ms) (- a b)))

(define (sorter name numbers ms)
  (define sorted (sort numbers (slowly ms)))
  (print name sorted)
  sorted)

(define a (spawn sorter "slow" (list 5 3 9 1) 100))
(define b (spawn sorter "quick" (list 4 2 8) 10))
(join a)
(join b)

; A comparison that sorts, and asks another fiber.
(define asks (chan))
(define answers (chan))
(define (oracle)
  (while true
    (send answers (length (recv asks)))))
(spawn oracle)
(define (size l)
  (send asks l)
  (recv answers))
(print (sort (list (list 3 1 2) (list) (list 7))
  (fn (a b)
    (sort a -)
    (- (size a) (size b)))))

; A comparison that fails ends the sort, and nothing else.
(print (try (sort (list 2 1) (fn (a b) (/ a 0))) (fn (message) message)))
