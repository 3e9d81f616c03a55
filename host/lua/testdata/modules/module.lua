local M = {} 
M.answer = 42
M.name = ...
return M
