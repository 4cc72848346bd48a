#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <microslip/core/check.hpp>

namespace microslip::io {

/// The number whose bytes start at `from`, turned round where the file has the other byte order.
template <class T>
T decode(const char* from, std::endian order) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, from, sizeof(T));
  if (order != std::endian::native) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

/// Walks over bytes, and refuses to walk past their end.
class ByteReader {
 public:
  /// `origin` is where `bytes` start in the file, so that messages name the file's own offsets.
  ByteReader(std::string_view bytes, std::endian order, std::size_t origin = 0)
      : bytes_(bytes), order_(order), origin_(origin) {}

  [[nodiscard]] std::size_t offset() const { return origin_ + at_; }
  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - at_; }
  [[nodiscard]] std::endian order() const { return order_; }

  std::string_view take(std::size_t count, std::string_view what) {
    if (count > remaining())
      throw InvalidInput(fmt::format("byte {}: {} needs {} bytes, only {} are left: truncated or damaged", offset(),
                                     what, count, remaining()));
    const std::string_view taken = bytes_.substr(at_, count);
    at_ += count;
    return taken;
  }
  template <class T>
  T number(std::string_view what) {
    return decode<T>(take(sizeof(T), what).data(), order_);
  }
  void skip_up_to(std::size_t count) { at_ += std::min(count, remaining()); }

 private:
  std::string_view bytes_;
  std::endian order_;
  std::size_t origin_, at_ = 0;
};

}  // namespace microslip::io
