-- A fixed window. KEYS[1] holds its count and expires when it ends. ARGV: quota, milliseconds of a window, how many to count;
-- none only asks. Answers whether it is granted, the key's number, what is left, and in how many milliseconds the window ends.
local quota, window, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used, ends = tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1])
if ends <= 0 then
  used, ends = 0, window
end
if used >= quota then
  return {0, 1, 0, ends}
end
if count > 0 then
  redis.call('SET', KEYS[1], used + count, 'PX', ends)
end
return {1, 1, quota - used - count, ends}
