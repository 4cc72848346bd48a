#include <functional>

#include <microslip/core/check.hpp>
#include <microslip/io/bytes.hpp>
#include <microslip/io/record_parts.hpp>
#include <microslip/io/wav.hpp>

namespace microslip::io {

namespace {

constexpr std::uint16_t pcm = 1, ieee_float = 3, extensible = 0xFFFE;

struct Format {
  std::uint16_t code = 0, channels = 0, bits = 0, block = 0;
  std::uint32_t rate = 0;
};

Format read_format(ByteReader chunk) {
  Format format;
  format.code = chunk.number<std::uint16_t>("the format code");
  format.channels = chunk.number<std::uint16_t>("the number of channels");
  format.rate = chunk.number<std::uint32_t>("the sampling rate");
  (void)chunk.number<std::uint32_t>("the byte rate");
  format.block = chunk.number<std::uint16_t>("the block size");
  format.bits = chunk.number<std::uint16_t>("the sample size");
  if (format.code == extensible) {
    (void)chunk.take(8, "the format's extension");
    format.code = chunk.number<std::uint16_t>("the extended format code");
  }
  const bool known =
      (format.code == pcm && (format.bits == 8 || format.bits == 16 || format.bits == 24 || format.bits == 32)) ||
      (format.code == ieee_float && (format.bits == 32 || format.bits == 64));
  if (!known)
    throw InvalidInput(
        fmt::format("format {} with {} bits is not read; save it as PCM or float", format.code, format.bits));
  if (format.channels == 0 || format.rate == 0 || format.block != format.channels * (format.bits / 8))
    throw InvalidInput(fmt::format("the format chunk is damaged: {} channels of {} bits in blocks of {} bytes at {} Hz",
                                   format.channels, format.bits, format.block, format.rate));
  return format;
}

double sample(const char* bytes, const Format& format) {
  constexpr auto little = std::endian::little;
  if (format.code == ieee_float)
    return format.bits == 32 ? static_cast<double>(decode<float>(bytes, little)) : decode<double>(bytes, little);
  switch (format.bits) {
    case 8:
      return (static_cast<double>(static_cast<unsigned char>(*bytes)) - 128) / 128;  // unsigned, by convention
    case 16:
      return decode<std::int16_t>(bytes, little) / 32768.0;
    case 24: {
      const char shifted[4] = {0, bytes[0], bytes[1], bytes[2]};
      return decode<std::int32_t>(shifted, little) / 2147483648.0;
    }
    default:
      return decode<std::int32_t>(bytes, little) / 2147483648.0;
  }
}

}  // namespace

Record parse_wav(std::string_view bytes, const std::string& source, const ReadOptions& options) {
  Record record;
  record.source = source;
  try {
    ByteReader from(bytes, std::endian::little);
    if (from.take(4, "RIFF") != "RIFF" || (from.take(4, "the size"), from.take(4, "WAVE")) != "WAVE")
      throw InvalidInput("not a WAV file (RIFF … WAVE is expected at byte 0)");
    Format format;
    while (from.remaining() >= 8) {
      const std::string_view name = from.take(4, "a chunk's name");
      std::size_t size = from.number<std::uint32_t>("a chunk's size");
      if (name == "data") {
        if (format.block == 0) throw InvalidInput(fmt::format("byte {}: data before the format", from.offset()));
        // Recorders that were switched off leave a size of 0xFFFFFFFF or 0 behind.
        if (size == 0 && from.remaining() > 0) {
          record.warnings.push_back(
              fmt::format("the data chunk claims 0 bytes: the {} to the end of the file are taken", from.remaining()));
          size = from.remaining();
        } else if (size > from.remaining()) {
          record.warnings.push_back(
              fmt::format("the data chunk claims {} bytes, {} are there: cut short", size, from.remaining()));
          size = from.remaining();
        }
        const std::size_t n_samples = size / format.block;
        const char* data = from.take(n_samples * format.block, "samples").data();
        for (std::size_t c = 0; c < format.channels; ++c) {
          Channel channel;
          channel.name = fmt::format("channel {}", c + 1);
          channel.samples.resize(n_samples);
          for (std::size_t i = 0; i < n_samples; ++i)
            channel.samples[i] = sample(data + i * format.block + c * (format.bits / 8), format);
          record.channels.push_back(std::move(channel));
        }
        record.sampling_rate_hz = format.rate;
        break;
      }
      const std::string_view chunk = from.take(size, "a chunk");
      if (name == "fmt ") format = read_format(ByteReader(chunk, std::endian::little, from.offset() - size));
      from.skip_up_to(size % 2);
    }
    if (record.channels.empty()) throw InvalidInput("holds no samples: truncated");
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", source, error.what()));
  }
  record.sampling_rate_hz = agreed_rate(record.sampling_rate_hz, options, source);
  finish(record, options);
  return record;
}

}  // namespace microslip::io
