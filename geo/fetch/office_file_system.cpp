#include "geo/fetch/office_file_system.hpp"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <string_view>
#include <vector>

#include "geo/fetch/url.hpp"
#include "geo/lower_case.hpp"

namespace geo {
namespace {

std::mutex g_mutex;  // guards g_files
std::shared_ptr<OfficeFiles> g_files;
thread_local const RunControl* g_control = nullptr;
thread_local std::optional<FetchFailure> g_failure;
const RunControl kNeverCancelled;

std::shared_ptr<OfficeFiles> files_in_use() {
  const std::lock_guard lock(g_mutex);
  return g_files;
}

const RunControl& control_of_thread() { return g_control ? *g_control : kNeverCancelled; }

void tell_gdal(const FetchFailure& failure) {
  g_failure = failure;
  CPLError(CE_Failure, CPLE_HttpResponse, "%s", failure.text.c_str());
}

/// Files that GDAL and SQLite look for beside another. An office's file stands alone.
bool is_companion(std::string_view url) {
  constexpr std::array<std::string_view, 14> kEndings{".aux.xml", ".ovr", ".msk", ".tfw",    ".tifw",
                                                      ".wld",     ".prj", ".imd", ".rpb",    ".pvl",
                                                      "-journal", "-wal", "-shm", "_rpc.txt"};
  const std::string low = lower_case(url);
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return low.ends_with(ending); });
}

/// What GDAL holds open.
struct OpenFile {
  std::shared_ptr<OfficeFiles> files;
  OfficeFiles::File file;
  std::uint64_t at = 0;
  bool beyond_end = false;
};

std::optional<OpenFile> opened(const char* url) {
  if (is_companion(url)) return {};
  const auto files = files_in_use();
  if (!files) {
    tell_gdal(fetch_failure(FailureKind::data_unreachable,
                            shown_url(url) + " is not asked for: this program was started without a cache"));
    return {};
  }
  auto file = files->open(url, control_of_thread());
  if (!file) {
    tell_gdal(file.error());
    return {};
  }
  return OpenFile{files, *std::move(file)};
}

bool read_pieces(const OpenFile& open, std::span<const OfficeFiles::Piece> pieces) {
  const auto failure = open.files->read(open.file, pieces, control_of_thread());
  if (failure) tell_gdal(*failure);
  return !failure;
}

// GDAL's callbacks.

void* open_office(void*, const char* url, const char* access) {
  if (std::strpbrk(access, "wa+")) return nullptr;
  auto file = opened(url);
  return file ? new OpenFile(*std::move(file)) : nullptr;
}

int close_office(void* file) {
  delete static_cast<OpenFile*>(file);
  return 0;
}

int stat_office(void*, const char* url, VSIStatBufL* found, int) {
  const auto file = opened(url);
  if (!file) return -1;
  std::memset(found, 0, sizeof *found);
  found->st_mode = S_IFREG | S_IRUSR;
  found->st_size = static_cast<decltype(found->st_size)>(file->file.bytes);
  return 0;
}

vsi_l_offset tell_office(void* file) { return static_cast<OpenFile*>(file)->at; }

int seek_office(void* handle, vsi_l_offset offset, int whence) {
  auto& file = *static_cast<OpenFile*>(handle);
  file.at = whence == SEEK_CUR ? file.at + offset : whence == SEEK_END ? file.file.bytes + offset : offset;
  file.beyond_end = false;
  return 0;
}

std::size_t read_office(void* handle, void* into, std::size_t size, std::size_t count) {
  auto& file = *static_cast<OpenFile*>(handle);
  if (size == 0 || count == 0) return 0;
  const std::uint64_t left = file.at < file.file.bytes ? file.file.bytes - file.at : 0;
  const std::uint64_t wanted = static_cast<std::uint64_t>(size) * count;
  const std::uint64_t bytes = std::min(left, wanted);
  const OfficeFiles::Piece piece{file.at, {static_cast<char*>(into), bytes}};
  if (bytes > 0 && !read_pieces(file, {&piece, 1})) return 0;
  file.at += bytes;
  file.beyond_end = bytes < wanted;
  return bytes / size;
}

int read_ranges_office(void* handle, int count, void** into, const vsi_l_offset* offsets,
                       const std::size_t* sizes) {
  const auto& file = *static_cast<OpenFile*>(handle);
  std::vector<OfficeFiles::Piece> pieces;
  for (int i = 0; i < count; ++i) {
    if (offsets[i] > file.file.bytes || sizes[i] > file.file.bytes - offsets[i]) return -1;
    pieces.push_back({offsets[i], {static_cast<char*>(into[i]), sizes[i]}});
  }
  return read_pieces(file, pieces) ? 0 : -1;
}

int eof_office(void* handle) { return static_cast<OpenFile*>(handle)->beyond_end; }

/// Nothing lies beside it.
char** siblings_office(void*, const char* url) {
  const std::string_view path(url);
  return CSLAddString(nullptr, std::string(path.substr(path.rfind('/') + 1)).c_str());
}

void install_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    VSIFilesystemPluginCallbacksStruct* calls = VSIAllocFilesystemPluginCallbacksStruct();
    calls->open = open_office;
    calls->close = close_office;
    calls->stat = stat_office;
    calls->tell = tell_office;
    calls->seek = seek_office;
    calls->read = read_office;
    calls->read_multi_range = read_ranges_office;
    calls->eof = eof_office;
    calls->sibling_files = siblings_office;
    VSIInstallPluginHandler(kOfficePrefix, calls);
    VSIFreeFilesystemPluginCallbacksStruct(calls);
  });
}

}  // namespace

void serve_office_files(std::shared_ptr<OfficeFiles> files) {
  install_once();
  const std::lock_guard lock(g_mutex);
  g_files = std::move(files);
}

std::optional<std::string> office_file_state(const std::string& path) {
  const std::size_t prefix = std::string_view(kOfficePrefix).size();
  const auto files = files_in_use();
  if (!files || !path.starts_with(kOfficePrefix) || is_companion(path)) return {};
  const auto file = files->known(path.substr(prefix));
  if (!file) return {};
  return file->state;
}

OfficeReading::OfficeReading(const RunControl& control) : before_(g_control) { g_control = &control; }
OfficeReading::~OfficeReading() { g_control = before_; }

std::optional<FetchFailure> last_office_failure() { return g_failure; }
void forget_office_failure() { g_failure.reset(); }

}  // namespace geo
