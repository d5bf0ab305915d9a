// From a protobuf message to a record's bytes and back.
#pragma once
#include <optional>
#include <string>

#include "persistence/records.hpp"

namespace persistence::record_bytes {

/// An empty message to fill in. Each thread reuses one of each kind, whose strings keep their memory.
template <class Message>
Message& blank() {
  thread_local Message message;
  message.Clear();
  return message;
}

template <class Message>
std::string bytes_of(Message& message) {
  message.set_version(kRecordVersion);
  return message.SerializeAsString();
}

template <class Message>
std::optional<Message> parsed(const std::string& bytes) {
  Message message;
  if (!message.ParseFromString(bytes) || message.version() == 0 || message.version() > kRecordVersion)
    return {};
  return message;
}

}  // namespace persistence::record_bytes
