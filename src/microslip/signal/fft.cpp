#include <cmath>
#include <numbers>

#include <kissfft/kissfft.hh>

#include <microslip/core/check.hpp>
#include <microslip/signal/fft.hpp>

namespace microslip::signal {

namespace {

std::size_t without_small_factors(std::size_t n) {
  for (const std::size_t p : {2U, 3U, 5U})
    while (n % p == 0) n /= p;
  return n;
}

/// exp(i pi k^2 / n), with k^2 taken modulo 2n so that the angle keeps its digits.
Complex chirp(std::size_t k, std::size_t n, double sign) {
  const std::size_t k2 = (k * k) % (2 * n);
  return std::polar(1.0, sign * std::numbers::pi * static_cast<double>(k2) / static_cast<double>(n));
}

}  // namespace

std::size_t fast_length(std::size_t n) {
  std::size_t m = n + n % 2;
  if (m == 0) m = 2;
  while (without_small_factors(m) != 1) m += 2;
  return m;
}

struct Fft::Plan {
  kissfft<double> direct;
  // Bluestein: X_k = w_k sum_n (x_n w_n) conj(w_{k-n}), a convolution of length >= 2n - 1.
  std::vector<Complex> chirp, kernel;
  std::unique_ptr<kissfft<double>> backward;
};

Fft::Fft(std::size_t n, Direction direction) : n_(n) {
  if (n == 0) throw InvalidInput("the length of a Fourier transform must be > 0, got 0");
  const bool inverse = direction == Direction::inverse;
  if (without_small_factors(n) == 1) {
    plan_ = std::make_unique<Plan>(Plan{kissfft<double>(n, inverse), {}, {}, nullptr});
    return;
  }
  const std::size_t m = fast_length(2 * n - 1);
  plan_ = std::make_unique<Plan>(Plan{kissfft<double>(m, false), {}, {}, std::make_unique<kissfft<double>>(m, true)});
  plan_->chirp.resize(n);
  for (std::size_t k = 0; k < n; ++k) plan_->chirp[k] = signal::chirp(k, n, inverse ? 1.0 : -1.0);
  std::vector<Complex> conjugate(m);
  for (std::size_t k = 0; k < n; ++k) {
    conjugate[k] = std::conj(plan_->chirp[k]) / static_cast<double>(m);
    if (k > 0) conjugate[m - k] = conjugate[k];
  }
  plan_->kernel.resize(m);
  plan_->direct.transform(conjugate.data(), plan_->kernel.data());
}

Fft::Fft(Fft&&) noexcept = default;
Fft& Fft::operator=(Fft&&) noexcept = default;
Fft::~Fft() = default;

void Fft::transform(std::span<const Complex> in, std::span<Complex> out) const {
  if (in.size() != n_ || out.size() != n_)
    throw InvalidInput(fmt::format("a Fourier transform of length {} got {} values for {}", n_, in.size(), out.size()));
  if (!plan_->backward) {
    plan_->direct.transform(in.data(), out.data());
    return;
  }
  const std::size_t m = plan_->kernel.size();
  std::vector<Complex> a(m), b(m);
  for (std::size_t k = 0; k < n_; ++k) a[k] = in[k] * plan_->chirp[k];
  plan_->direct.transform(a.data(), b.data());
  for (std::size_t k = 0; k < m; ++k) b[k] *= plan_->kernel[k];
  plan_->backward->transform(b.data(), a.data());
  for (std::size_t k = 0; k < n_; ++k) out[k] = a[k] * plan_->chirp[k];
}

RealFft::RealFft(std::size_t n) : n_(n), half_(n % 2 == 0 && n > 0 ? n / 2 : n) {
  if (n % 2 != 0) return;
  twiddle_.resize(n / 2);
  for (std::size_t k = 0; k < n / 2; ++k)
    twiddle_[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
}

void RealFft::transform(std::span<const double> in, std::span<Complex> out) const {
  if (in.size() != n_ || out.size() != n_bins())
    throw InvalidInput(fmt::format("a real transform of length {} got {} values for {}", n_, in.size(), out.size()));
  if (n_ % 2 != 0) {
    std::vector<Complex> x(in.begin(), in.end()), X(n_);
    half_.transform(x, X);
    for (std::size_t k = 0; k < n_bins(); ++k) out[k] = X[k];
    return;
  }
  // Even and odd samples as one complex sequence; std::complex<double> has the layout of double[2].
  const std::size_t h = n_ / 2;
  half_.transform({reinterpret_cast<const Complex*>(in.data()), h}, out.first(h));
  const Complex z0 = out[0];
  out[0] = z0.real() + z0.imag();
  out[h] = z0.real() - z0.imag();
  for (std::size_t k = 1; 2 * k <= h; ++k) {
    const Complex a = out[k], b = std::conj(out[h - k]);
    const Complex even = 0.5 * (a + b), odd = Complex(0, -0.5) * (a - b) * twiddle_[k];
    out[k] = even + odd;
    out[h - k] = std::conj(even - odd);
  }
}

std::vector<Complex> spectrum(std::span<const double> x, std::size_t n) {
  if (n == 0) n = x.size();
  const RealFft fft(n);
  std::vector<double> padded(x.begin(), x.end());
  padded.resize(n);
  std::vector<Complex> X(fft.n_bins());
  fft.transform(padded, X);
  return X;
}

}  // namespace microslip::signal
