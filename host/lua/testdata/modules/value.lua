return "the value"
