-- What may be asked of a provider: one JSON document for each, changed by one of three verbs, on Redis' own time.
local verb, wanted = ARGV[1], cjson.decode(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local state = cjson.decode(redis.call('GET', KEYS[1]) or '{"holders": {}, "paused_until": 0, "pace": 0}')

local function hold()
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
  if state.paused_until > now then
    slots, sends = 0, 0
  elseif wanted.interval > 0 then
    -- `pace` is the moment from which on an interval has to pass for each request.
    state.pace = math.max(state.pace - wanted.unused * wanted.interval, now - wanted.burst * wanted.interval)
    sends = math.min(sends, math.floor((now - state.pace) / wanted.interval + 1e-6))
    state.pace = state.pace + sends * wanted.interval
  end
  state.holders[wanted.holder] = {
    slots = math.max(slots, wanted.using), wanted = wanted.slots, until_ = now + wanted.lease,
  }
  return {slots = slots, sends = sends}
end

local answer = {}
if verb == 'hold' then
  answer = hold()
elseif verb == 'give back' then
  state.holders[wanted.holder] = nil
  state.pace = state.pace - wanted.unused * wanted.interval
elseif verb == 'pause' then
  state.paused_until = math.max(state.paused_until, now + wanted.seconds)
end
redis.call('SET', KEYS[1], cjson.encode(state), 'EX', 3600)
return cjson.encode(answer)
