// How CAF reads and writes what home and workers tell each other.
#pragma once
#include "actors/inspect.hpp"
#include "actors/workers/values.hpp"

namespace actors {

ACTORS_INSPECT(WorkerFacts, x.name, x.threads, x.build, x.arithmetic, x.catalogue, x.options)
ACTORS_INSPECT(WorkerWelcome, x.session, x.refusal)
ACTORS_INSPECT(OutcomePiece, x.run, x.result, x.scene)

}  // namespace actors
