// Whether the tests are built with a sanitizer, whose slowness, shadow memory and link options some figures
// do not survive.
#pragma once

namespace test {

#ifdef __SANITIZE_THREAD__
inline constexpr bool kUnderThreadSanitizer = true;
#else
inline constexpr bool kUnderThreadSanitizer = false;
#endif

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kUnderSanitizer = true;
#else
inline constexpr bool kUnderSanitizer = kUnderThreadSanitizer;
#endif

}  // namespace test
