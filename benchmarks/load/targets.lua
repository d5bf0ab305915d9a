-- For wrk: asks for what the file in ROOF_TARGETS lists, "KEY PROJECT" a line, one after the other. Each
-- thread begins at another place and waits ROOF_DELAY_MS before each request, so that a part of the full load
-- can be held. ROOF_KIND: status (the analysis), list (a page of 200), mixed (a list after every seven of
-- status), picture (the overview in many widths), page (lines of "COOKIE PATH" instead) or create (a project at every address of ROOF_ADDRESSES for
-- every key; ROOF_FROM, 0 to 1: where to begin).
local kind = os.getenv("ROOF_KIND") or "status"
local requests = {}
local n = 0
local threads = 0

function setup(thread)
  thread:set("thread_number", threads)
  threads = threads + 1
end

-- Creations: each pair of key and address once, shared out among the threads. Each request is built just
-- before it is sent, because a million of them would not fit into LuaJIT's memory.
local keys, bodies = {}, {}
local first, step = 0, 1

local function creation(address)
  local body = '{"name":"Last","adresse":"' .. address .. '","jahresverbrauch_kwh":4500,"lastprofil":"H0"}'
  local text = wrk.format("POST", "/api/v1/projekte", { ["X-API-Key"] = "KEY", ["Content-Type"] = "application/json" }, body)
  local from, to = text:find("KEY", 1, true)
  return { text:sub(1, from - 1), text:sub(to + 1) }
end

local function next_creation()
  local place = first + n * step
  n = n + 1
  local body = bodies[math.floor(place / #keys) % #bodies + 1]
  return body[1] .. keys[place % #keys + 1] .. body[2]
end

function init(args)
  local targets = {}
  for line in io.lines(os.getenv("ROOF_TARGETS")) do
    local key, project = line:match("(%S+) (%S+)")
    table.insert(targets, { key, project })
    table.insert(keys, key)
  end
  local count = tonumber(os.getenv("ROOF_THREADS") or "1")
  for i, target in ipairs(targets) do
    local header = { ["X-API-Key"] = target[1] }
    if kind == "status" or kind == "mixed" then
      table.insert(requests, wrk.format("GET", "/api/v1/projekte/" .. target[2] .. "/dachanalyse", header))
    end
    if kind == "list" or (kind == "mixed" and #requests % 8 == 7) then
      table.insert(requests, wrk.format("GET", "/api/v1/projekte?limit=200", header))
    elseif kind == "page" then
      table.insert(requests, wrk.format("GET", target[2], { ["Accept"] = "text/html", ["Cookie"] = target[1] }))
    elseif kind == "picture" then
      for width = 400, 800 do
        table.insert(requests, wrk.format(
          "GET", "/api/v1/projekte/" .. target[2] .. "/bilder/uebersicht?format=png&breite=" .. width, header))
      end
    end
  end
  if kind == "create" then
    for line in io.lines(os.getenv("ROOF_ADDRESSES")) do table.insert(bodies, creation(line)) end
    first = math.floor(#bodies * #keys * tonumber(os.getenv("ROOF_FROM"))) + thread_number
    step = count
    request = next_creation
  else
    n = math.floor(#requests * thread_number / count)
  end
end

local wait_ms = tonumber(os.getenv("ROOF_DELAY_MS"))
if wait_ms > 0 then
  function delay()
    return wait_ms
  end
end

function request()
  n = n % #requests + 1
  return requests[n]
end

function done(summary, latency, taken)
  io.write(string.format(
    'JSON {"requests": %d, "seconds": %.6f, "p50_ms": %.4f, "p99_ms": %.4f, "not_2xx": %d, "broken": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    summary.errors.status, summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
