-- GCRA. KEYS are buckets that are taken from together: each holds when it is whole again, in microseconds of this server's
-- clock: those of the nodes do not matter. ARGV: cost; quotas that may be owed; then for each bucket the microseconds that give one back, and its
-- quota. Nothing is taken unless all grant it. Answers whether they do, the bucket that leaves least or, of a refusal, the
-- one that takes longest to grant the same; what is left there; and in how many milliseconds it is whole again, or grants
-- the same. A bucket may owe ARGV[2] quotas, where settle.lua has taken more than it had.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local cost, debt = tonumber(ARGV[1]), tonumber(ARGV[2])
local afters, refused, least = {}, nil, nil
for bucket, key in ipairs(KEYS) do
  local interval, quota = tonumber(ARGV[2 * bucket + 1]), tonumber(ARGV[2 * bucket + 2])
  local whole = tonumber(redis.call('GET', key) or now)
  -- Never further off than if it owed all that it may, should the clock have gone back.
  whole = math.min(math.max(whole, now), now + (1 + debt) * quota * interval)
  local after = whole + cost * interval
  local wait = after - quota * interval - now
  if wait > 0 then
    local ms = math.ceil(wait / 1000)
    if not refused or ms > refused[4] then
      refused = {0, bucket, math.max(0, math.floor(quota - (whole - now) / interval)), ms}
    end
  else
    local left = math.floor(quota - (after - now) / interval)
    if not least or left < least[3] then
      least = {1, bucket, left, math.ceil((after - now) / 1000)}
    end
    afters[bucket] = after
  end
end
if refused then
  return refused
end
for bucket, key in ipairs(KEYS) do
  -- Lua would write so large a number with an exponent.
  redis.call('SET', key, string.format('%.0f', afters[bucket]), 'PX', math.ceil((afters[bucket] - now) / 1000))
end
return least
