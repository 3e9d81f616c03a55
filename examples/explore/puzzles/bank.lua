-- Bank transfer: each transfer locks the account that it takes from, and then the other one. Two transfers in
-- opposite directions wait for each other.
-- Finding: deadlock

local function account(number)
  return { number = number, balance = 100, lock = fiber.mutex() }
end

local function transfer(from, to, amount)
  local first, second = from, to
  first.lock:lock()
  second.lock:lock()
  from.balance = from.balance - amount
  to.balance = to.balance + amount
  second.lock:unlock()
  first.lock:unlock()
end

local a, b = account(1), account(2)
fiber.scope(function(s)
  s:spawn(transfer, a, b, 10)
  s:spawn(transfer, b, a, 20)
end)
