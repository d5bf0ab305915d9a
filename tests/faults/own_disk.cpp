#include "tests/faults/own_disk.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace test {
namespace {

/// From now on only this process, and those that it starts, see what it mounts.
bool own_mounts() {
  static const bool done =
      ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  return done;
}

std::string fault(const std::string& what) { return what + ": " + std::strerror(errno); }

bool run(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

bool mount_image(const std::string& image, const std::string& directory) {
  return run("mount -o loop,errors=remount-ro '" + image + "' '" + directory + "'");
}

}  // namespace

OwnDisk::OwnDisk(std::string directory, std::string image)
    : directory_(std::move(directory)), image_(std::move(image)) {}

std::unique_ptr<OwnDisk> OwnDisk::mounted_on(const std::string& directory, Kind kind, int megabytes,
                                             std::string& why_not) {
  if (!own_mounts()) {
    why_not = fault("this test needs to mount a disk, which root may do");
    return nullptr;
  }
  const std::string size = std::to_string(megabytes) + "m";
  if (kind == Kind::memory) {
    if (::mount("tmpfs", directory.c_str(), "tmpfs", 0, ("mode=0700,size=" + size).c_str()) == 0)
      return std::unique_ptr<OwnDisk>(new OwnDisk(directory, {}));
    why_not = fault("a disk in memory cannot be mounted");
    return nullptr;
  }
  const std::string image = directory + ".image";
  const bool made = run("truncate -s " + size + " '" + image + "'") &&
                    run("mkfs.ext4 -q -m 0 -E root_owner '" + image + "'") && mount_image(image, directory);
  if (made) return std::unique_ptr<OwnDisk>(new OwnDisk(directory, image));
  why_not = "this test needs mkfs.ext4 and a loop device";
  return nullptr;
}

OwnDisk::~OwnDisk() {
  ::umount2(directory_.c_str(), MNT_DETACH);  // a program may still have files open there
  std::error_code ignored;
  if (!image_.empty()) std::filesystem::remove(image_, ignored);
}

void OwnDisk::fill() const {
  const int fd = ::open((directory_ + "/ballast").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ASSERT_GE(fd, 0);
  for (std::size_t size = 1U << 20U; size > 0; size /= 2) {
    const std::vector<char> bytes(size);
    while (::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) {
    }
  }
  ::close(fd);
}

void OwnDisk::make_room() const { ASSERT_TRUE(std::filesystem::remove(directory_ + "/ballast")); }

void OwnDisk::turn_read_only() const { ASSERT_TRUE(run("mount -o remount,abort '" + directory_ + "'")); }

void OwnDisk::mount_again() const {
  ASSERT_TRUE(run("umount '" + directory_ + "'"));
  ASSERT_TRUE(mount_image(image_, directory_));
}

}  // namespace test
