#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace microslip::signal {

using Complex = std::complex<double>;

/// |z| of a signal's value: without the guard against overflow that std::abs pays for at every value.
inline double modulus(const Complex& z) { return std::sqrt(z.real() * z.real() + z.imag() * z.imag()); }

/// The smallest even length >= n whose only prime factors are 2, 3 and 5: transforms of it are fast.
std::size_t fast_length(std::size_t n);

/// Discrete Fourier transform of complex sequences of one length, any length: lengths with a prime factor above 5 go
/// through Bluestein's convolution, so that none costs n². Forward: X_k = sum_n x_n exp(-2 pi i k n / N). Unscaled in
/// both directions. One plan may serve several threads.
class Fft {
 public:
  enum class Direction { forward, inverse };

  explicit Fft(std::size_t n, Direction direction = Direction::forward);
  Fft(Fft&&) noexcept;
  Fft& operator=(Fft&&) noexcept;
  ~Fft();

  [[nodiscard]] std::size_t size() const { return n_; }
  void transform(std::span<const Complex> in, std::span<Complex> out) const;

 private:
  struct Plan;
  std::size_t n_;
  std::unique_ptr<Plan> plan_;
};

/// Transform of real sequences of one length: the n/2 + 1 values at frequencies k/n, k = 0 ... n/2. Even lengths cost
/// half a complex transform.
class RealFft {
 public:
  explicit RealFft(std::size_t n);

  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] std::size_t n_bins() const { return n_ / 2 + 1; }
  void transform(std::span<const double> in, std::span<Complex> out) const;

 private:
  std::size_t n_;
  Fft half_;                      // length n/2 for even n, else n
  std::vector<Complex> twiddle_;  // exp(-2 pi i k / n)
};

/// The spectrum of a real sequence of any length, zero-padded to `n` (its own length where n is 0).
std::vector<Complex> spectrum(std::span<const double> x, std::size_t n = 0);

}  // namespace microslip::signal
