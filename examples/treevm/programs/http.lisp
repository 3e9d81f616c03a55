; Gets three pages at the same time. The argument is the address of a server.
(define server (nth args 0))
(define pages (list (spawn http (nth args 0)) (spawn http (nth args 0)) (spawn http (nth args 0))))
(define i 0)
(while (< i 3)
  (print (join (nth pages i)))
  (set i (+ i 1)))

; Also in the comparison of a native sort.
(print (sort (list 2 1) (fn (a b) (http server) (- a b))))
(print (try (http "nowhere:") (fn (message) "no page")))
