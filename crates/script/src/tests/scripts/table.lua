-- prints a table of percentiles
function done(summary, latency, requests)
  local out = {}
  for _, percent in ipairs({ 50, 90, 99, 99.999 }) do
    out[#out + 1] = string.format("%g%%,%d", percent, latency:percentile(percent))
  end
  out[#out + 1] = string.format("%d %d %d %d", latency.min, latency.max, latency.mean, #latency)
  local value, count = latency(2)
  out[#out + 1] = string.format("%d x %d", value, count)
  out[#out + 1] = string.format("%d %d %d", summary.requests, summary.duration, summary.bytes)
  local errors = summary.errors
  out[#out + 1] = string.format("%d %d %d %d %d",
    errors.connect, errors.read, errors.write, errors.status, errors.timeout)
  out[#out + 1] = string.format("%d %d", requests.max, #requests)
  out[#out + 1] = string.format("%.1f", latency.stdev)
  printed = table.concat(out, "\n")
end
