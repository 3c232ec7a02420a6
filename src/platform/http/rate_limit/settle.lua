-- Takes more from buckets of bucket.lua for what was granted before, or gives some of it back, as far as they are not whole. KEYS and
-- ARGV are those of bucket.lua; the cost may be negative.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local cost, debt = tonumber(ARGV[1]), tonumber(ARGV[2])
for bucket, key in ipairs(KEYS) do
  local interval, quota = tonumber(ARGV[2 * bucket + 1]), tonumber(ARGV[2 * bucket + 2])
  local whole = math.max(tonumber(redis.call('GET', key) or now), now) + cost * interval
  whole = math.min(whole, now + (1 + debt) * quota * interval)
  if whole > now then
    -- Lua would write so large a number with an exponent.
    redis.call('SET', key, string.format('%.0f', whole), 'PX', math.ceil((whole - now) / 1000))
  else
    redis.call('DEL', key)
  end
end
return 1
