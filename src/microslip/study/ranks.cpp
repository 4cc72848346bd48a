#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

// The C interface is all that is used; the C++ one would drag in a library of its own.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <sched.h>

#include <microslip/structure/mpi.hpp>
#include <microslip/study/ranks.hpp>

namespace microslip::study {

namespace {

using Kind = Ranks::Message::Kind;
using Bytes = std::vector<char>;

template <class T>
void put(Bytes& bytes, const T* from, std::size_t n) {
  const auto* raw = reinterpret_cast<const char*>(from);
  bytes.insert(bytes.end(), raw, raw + n * sizeof(T));
}

template <class T>
void take(const char*& at, T* to, std::size_t n) {
  if (n > 0) std::memcpy(to, at, n * sizeof(T));
  at += n * sizeof(T);
}

void send(int to, Kind kind, const Bytes& bytes) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, static_cast<int>(kind), MPI_COMM_WORLD);
}

/// An id, some numbers, some text.
Bytes packed(std::uint64_t id, const std::vector<double>& values, const std::string& text) {
  Bytes bytes;
  const std::uint64_t head[] = {id, values.size(), text.size()};
  put(bytes, head, 3);
  put(bytes, values.data(), values.size());
  put(bytes, text.data(), text.size());
  return bytes;
}

void unpack(const Bytes& bytes, std::uint64_t& id, std::vector<double>& values, std::string& text) {
  const char* at = bytes.data();
  std::uint64_t head[3];
  take(at, head, 3);
  id = head[0];
  values.resize(head[1]);
  text.resize(head[2]);
  take(at, values.data(), values.size());
  take(at, text.data(), text.size());
}

}  // namespace

bool Ranks::launched() { return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr; }

Ranks::Ranks() {
  start_mpi();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int on_this_machine = 1;
  MPI_Comm_size(machine, &on_this_machine);
  cpu_set_t mine;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof mine, &mine);
  std::vector<cpu_set_t> all(static_cast<std::size_t>(on_this_machine));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, machine);
  sharing_processors_ =
      static_cast<int>(std::count_if(all.begin(), all.end(), [&](const cpu_set_t& m) { return CPU_EQUAL(&m, &mine); }));
  MPI_Comm_free(&machine);
}

void Ranks::send_task(int to, std::uint64_t id, const Task& task) { send(to, Kind::task, packed(id, task, {})); }

void Ranks::send_drop(int to, std::uint64_t id) { send(to, Kind::drop, packed(id, {}, {})); }

void Ranks::send_result(std::uint64_t id, const TaskResult& result, double seconds) {
  std::vector<double> values = result.values;
  values.push_back(seconds);
  send(0, Kind::result, packed(id, values, result.failure));
}

void Ranks::send_threads(int threads) { send(0, Kind::threads, packed(static_cast<std::uint64_t>(threads), {}, {})); }

void Ranks::send_home(int to) { send(to, Kind::home, {}); }

std::optional<Ranks::Message> Ranks::poll() {
  int arrived = 0, n = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, &status);
  if (arrived == 0) return std::nullopt;
  MPI_Get_count(&status, MPI_BYTE, &n);
  Bytes bytes(static_cast<std::size_t>(n));
  MPI_Recv(bytes.data(), n, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  Message message{.kind = static_cast<Kind>(status.MPI_TAG), .from = status.MPI_SOURCE};
  std::string text;
  switch (message.kind) {
    case Kind::task:
    case Kind::drop:
      unpack(bytes, message.id, message.task, text);
      break;
    case Kind::result:
      unpack(bytes, message.id, message.result.values, message.result.failure);
      message.seconds = message.result.values.back();
      message.result.values.pop_back();
      break;
    case Kind::threads:
      unpack(bytes, message.id, message.task, text);
      message.threads = static_cast<int>(message.id);
      break;
    case Kind::home:
      break;
  }
  return message;
}

}  // namespace microslip::study
