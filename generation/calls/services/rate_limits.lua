-- What may be asked of a provider: one JSON document for each, changed by one of its verbs, on Redis' own time.
local verb, wanted = ARGV[1], cjson.decode(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local state = cjson.decode(redis.call('GET', KEYS[1]) or '{"holders": {}, "paused_until": 0, "pace": 0}')
-- While nothing but failures comes back: how often it was waited in vain, since when, and how long it is waited now.
local trouble = state.trouble

-- The provider is left alone, each time twice as long. What fails meanwhile had left before.
local function fail()
  if not trouble or now - trouble.last > wanted.forget then
    trouble = {waits = 0, since = now, until_ = 0}
  end
  trouble.last = now
  if trouble.until_ <= now then
    trouble.until_ = now + math.min(wanted.first * 2 ^ trouble.waits, wanted.longest)
    trouble.waits = trouble.waits + 1
  end
  state.trouble = trouble
  return {seconds = now - trouble.since}
end

local function acquire()
  local count, taken, owed = 1, 0, 0
  for name, other in pairs(state.holders) do
    if name == wanted.holder or other.until_ < now then
      state.holders[name] = nil
    else
      count = count + 1
    end
  end
  -- Who holds less than an equal share, and wants more, is owed the rest of it before anybody gets more.
  local equal = math.floor(wanted.concurrency / count)
  for _, other in pairs(state.holders) do
    taken = taken + other.slots
    owed = owed + math.max(0, math.min(other.wanted, equal) - other.slots)
  end
  local slots = math.max(0, math.min(wanted.slots, wanted.concurrency - taken - owed))
  local sends = wanted.sends
  local paused = math.max(0, state.paused_until - now, trouble and trouble.until_ - now or 0)
  -- `pace` is the moment from which on an interval has to pass for each request.
  state.pace = state.pace - wanted.unused * wanted.interval
  if paused > 0 then
    slots, sends = 0, 0
  elseif trouble then
    -- One request of each holder finds out whether the provider is back.
    slots, sends = math.min(slots, 1), math.min(sends, 1)
  end
  if wanted.interval > 0 then
    state.pace = math.max(state.pace, now - wanted.burst * wanted.interval)
    sends = math.min(sends, math.floor((now - state.pace) / wanted.interval + 1e-6))
    state.pace = state.pace + sends * wanted.interval
  end
  state.holders[wanted.holder] = {
    slots = math.max(slots, wanted.using), wanted = wanted.slots, until_ = now + wanted.lease,
  }
  return {slots = slots, sends = sends, paused = paused, in_trouble = trouble ~= nil}
end

local answer = {}
if verb == 'acquire' then
  answer = acquire()
elseif verb == 'release' then
  state.holders[wanted.holder] = nil
  state.pace = state.pace - wanted.unused * wanted.interval
elseif verb == 'pause' then
  state.paused_until = math.max(state.paused_until, now + wanted.seconds)
elseif verb == 'fail' then
  answer = fail()
elseif verb == 'succeed' then
  state.trouble = nil
end
redis.call('SET', KEYS[1], cjson.encode(state), 'EX', 3600)
return cjson.encode(answer)
