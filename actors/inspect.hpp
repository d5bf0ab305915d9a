// How CAF 0.17 is told of a value's fields: ACTORS_INSPECT(Type, x.field, ...), in the type's namespace.
#pragma once
#include <caf/meta/type_name.hpp>

#define ACTORS_INSPECT(Type, ...)                                  \
  template <class Inspector>                                       \
  typename Inspector::result_type inspect(Inspector& f, Type& x) { \
    return f(caf::meta::type_name(#Type), __VA_ARGS__);            \
  }
