// What home and workers tell each other beside the messages of a run (values.hpp).
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace actors {

/// Who a worker is, and all that a result's bytes depend on beside the job: the home compares it with its
/// own.
struct WorkerFacts {
  std::string name;           ///< for operators: the machine's, and the process
  std::uint32_t threads = 1;  ///< runs that it computes at once without one slowing down another
  std::string build;          ///< the program's and its geodata libraries' versions
  std::string arithmetic;     ///< what the processor makes of sines and exponentials, as a digest
  std::string catalogue;      ///< digest of the data sets
  std::string options;        ///< what else bears on a result, as text: "module.power=440, ..."
};

/// A worker's membership: from its welcome until it is lost or leaves. One that comes back has a new one.
using WorkerSession = std::uint64_t;

/// The answer to a worker's facts.
struct WorkerWelcome {
  WorkerSession session = 0;  ///< 0: refused
  std::string refusal;        ///< one sentence for the worker's operator
};

/// A part of an outcome that is on its way to the home: bytes that go before those which come later.
struct OutcomePiece {
  std::uint64_t run = 0;
  std::string result, scene;  ///< as in RunOutcome
};
/// A result of megabytes as one message would keep the worker's beats and their answers waiting behind it on
/// a slow wire until both sides took each other for lost. So it goes in pieces, each when the one before it
/// has come.
inline constexpr std::size_t kPiece_bytes = 64U << 10U;

/// A worker says this often that it is there, and whoever has heard nothing for so long takes the other for
/// lost.
inline constexpr std::chrono::milliseconds kBeat{500}, kSilence{3000};
/// How long after that a worker's runs may still need until they have really ended.
inline constexpr std::chrono::milliseconds kStopping{1000};

}  // namespace actors
