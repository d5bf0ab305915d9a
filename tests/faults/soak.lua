-- For wrk: asks for the states of the projects in ROOF_TARGETS ("KEY PROJECT" a line) and now and then for a page
-- of the list, and waits ROOF_DELAY_MS before each request, so that a load between none and full can be held.
local requests = {}
local n = 0
local wait_ms = tonumber(os.getenv("ROOF_DELAY_MS"))

function init(args)
  for line in io.lines(os.getenv("ROOF_TARGETS")) do
    local key, project = line:match("(%S+) (%d+)")
    local header = { ["X-API-Key"] = key }
    table.insert(requests, wrk.format("GET", "/api/v1/projekte/" .. project .. "/dachanalyse", header))
    if #requests % 8 == 0 then table.insert(requests, wrk.format("GET", "/api/v1/projekte?limit=200", header)) end
  end
end

function delay()
  return wait_ms
end

function request()
  n = n % #requests + 1
  return requests[n]
end

function done(summary, latency, taken)
  io.write(string.format('JSON {"requests": %d, "seconds": %.6f, "p99_ms": %.3f, "broken": %d}\n', summary.requests,
    summary.duration / 1e6, latency:percentile(99) / 1e3,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
