// Whether the tests are built with the thread sanitizer, whose shadow memory and link options some figures do
// not survive.
#pragma once

namespace test {

#ifdef __SANITIZE_THREAD__
inline constexpr bool kUnderThreadSanitizer = true;
#else
inline constexpr bool kUnderThreadSanitizer = false;
#endif

}  // namespace test
