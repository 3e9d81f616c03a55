local sum = 0
for i = 1, 100 do sum = sum + i end
return {sum = sum}
