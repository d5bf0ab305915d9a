// Files that an office said no to: 404, or a page in a file's place. Some servers say so of every file for a
// while, to whoever has asked for many, and some when they are under repair. So a no is believed only once a
// file that came before, the witness, has been asked for again and still comes.
#pragma once
#include <string>
#include <vector>

#include "geo/fetch/fetcher.hpp"

namespace geo::offices {

struct Denial {
  std::size_t file = 0;
  bool missing = false;  ///< the server has no such file; else something other than the file came
  std::string text;
};

class Denials {
 public:
  Denials(Fetcher& fetcher, Content content, const RunControl& control)
      : fetcher_(fetcher), content_(content), control_(control) {}

  /// The URL of a file that has come. The last one counts.
  void take_witness(std::string url) {
    witness_ = std::move(url);
    in_a_row_ = 0;
  }
  const std::string& witness() const { return witness_; }
  void add(Denial denial);
  bool empty() const { return all_.empty(); }
  /// So many one after the other that the server should be asked about the witness. Where there is none the
  /// rest must be asked for first: a region's first squares may all lie beyond its border.
  bool are_suspicious() const;
  /// All of them; they are forgotten here.
  std::vector<Denial> take();
  /// What was taken, when nothing came of it. They count as asked about.
  void put_back(std::vector<Denial> denials);
  /// Asks for the witness's beginning at `url`. False when it does not come, and when there is none. Reads
  /// nothing that changes here: no lock need be held while a server asks for patience.
  bool are_true(const std::string& url) const;

 private:
  Fetcher& fetcher_;
  Content content_;
  const RunControl& control_;
  std::string witness_;
  std::vector<Denial> all_;
  std::size_t in_a_row_ = 0;
};

}  // namespace geo::offices
