-- three requests at once
function init(args)
  together = wrk.format(nil, "/?one") .. wrk.format("POST", "/?two", {}, "a=b") .. wrk.format(nil, "/?three")
end

function request() return together end

answers = 0
function response() answers = answers + 1 end
