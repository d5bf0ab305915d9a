// A small disk of a test's own, mounted on a directory, which can be filled, emptied and made read-only while
// a program works on it. Only this process and those that it starts see it (a mount namespace), so nothing is
// left of it whatever happens. It needs root: without, there is no disk and `why_not` says so.
#pragma once
#include <memory>
#include <string>

namespace test {

class OwnDisk {
 public:
  enum class Kind {
    memory,  ///< tmpfs: room is given and taken exactly
    ext4     ///< on a loop device: can fall back to read-only as a disk with faults does
  };
  /// Null when this machine does not let the test mount; `why_not` is then a sentence.
  static std::unique_ptr<OwnDisk> mounted_on(const std::string& directory, Kind kind, int megabytes,
                                             std::string& why_not);
  ~OwnDisk();
  OwnDisk(const OwnDisk&) = delete;
  OwnDisk& operator=(const OwnDisk&) = delete;

  /// Takes all the room that is left.
  void fill() const;
  /// Gives that room back.
  void make_room() const;
  /// What ext4 does when the device below fails (errors=remount-ro): from now on every write is refused.
  void turn_read_only() const;
  /// After turn_read_only(), when no program works on the disk: makes it writable as an operator would.
  void mount_again() const;

 private:
  OwnDisk(std::string directory, std::string image);
  std::string directory_, image_;
};

}  // namespace test
