-- GCRA. KEYS[1] holds when the bucket is whole again, in microseconds of this server's clock: those of the nodes do not
-- matter. ARGV: microseconds that give one back, quota, cost. Answers whether it is granted, what is left, and in how many
-- milliseconds the bucket is whole again, or the same would be granted.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, quota, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local whole = tonumber(redis.call('GET', KEYS[1]) or now)
-- Never further off than that of an empty bucket, should the clock have gone back.
whole = math.min(math.max(whole, now), now + quota * interval)
local after = whole + cost * interval
local wait = after - quota * interval - now
if wait > 0 then
  return {0, math.floor(quota - (whole - now) / interval), math.ceil(wait / 1000)}
end
local ms = math.ceil((after - now) / 1000)
-- Lua would write so large a number with an exponent.
redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', ms)
return {1, math.floor(quota - (after - now) / interval), ms}
