#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <serve_api.hpp>

#include <microslip/core/check.hpp>

namespace microslip::app {
namespace {

const Guard guard({"127.0.0.1", "localhost", "::1"}, 4711, 100);

WebRequest good() {
  WebRequest request;
  request.method = "GET";
  request.path = "/api/v1";
  request.host = "127.0.0.1:4711";
  return request;
}

int status_of(const WebRequest& request) {
  const auto refused = guard.objection(request);
  return refused ? refused->status : 200;
}

TEST(Guard, LetsItsOwnPagesPass) {
  WebRequest request = good();
  EXPECT_EQ(status_of(request), 200);
  for (const char* host : {"localhost:4711", "LocalHost:4711", "[::1]:4711"}) {
    request.host = host;
    request.origin = std::string("http://") + host;
    request.fetch_site = "same-origin";
    EXPECT_EQ(status_of(request), 200) << host;
  }
  request.method = "POST";
  request.content_type = "application/json; charset=utf-8";
  request.content_length = "100";
  EXPECT_EQ(status_of(request), 200);
}

TEST(Guard, RefusesForeignNamesOriginsAndKindsOfContent) {
  const auto refused = [](auto change) {
    WebRequest request = good();
    change(request);
    return status_of(request);
  };
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:4712", "evil.example:4711", "127.0.0.1:4711.evil.example"})
    EXPECT_EQ(refused([&](WebRequest& r) { r.host = host; }), 403) << host;
  for (const char* origin : {"null", "http://evil.example", "https://127.0.0.1:4711", "http://127.0.0.1", "http://"})
    EXPECT_EQ(refused([&](WebRequest& r) { r.origin = origin; }), 403) << origin;
  EXPECT_EQ(refused([](WebRequest& r) { r.fetch_site = "cross-site"; }), 403);
  EXPECT_EQ(refused([](WebRequest& r) { r.fetch_site = "same-site"; }), 403);
  EXPECT_EQ(refused([](WebRequest& r) { r.method = "POST", r.content_type = "text/plain"; }), 403);
  EXPECT_EQ(refused([](WebRequest& r) { r.content_length = "101"; }), 413);
  EXPECT_EQ(refused([](WebRequest& r) { r.content_length = "99999999999999999999999"; }), 413);
  EXPECT_EQ(refused([](WebRequest& r) { r.content_length = "-1"; }), 413);
  EXPECT_EQ(refused([](WebRequest& r) { r.transfer_encoding = "chunked"; }), 411);
  EXPECT_EQ(refused([](WebRequest& r) { r.content_encoding = "gzip"; }), 415);
}

WebReply post(Api& api, const std::string& path, const std::string& body, const std::string& name = "") {
  WebRequest request = good();
  request.method = "POST";
  request.path = path;
  request.body = body;
  request.name = name;
  return api.answer(request);
}

/// What a job says once it has failed.
std::string failure_of_job(Api& api, int id) {
  WebRequest ask = good();
  ask.path = "/api/v1/jobs/" + std::to_string(id);
  WebReply reply;
  for (int i = 0; i < 20000; ++i) {
    reply = api.answer(ask);
    if (reply.body.find("failed") != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return reply.body;
}

TEST(Api, AnswersWithTheResultOfTheVerb) {
  Api api;
  const WebReply loop =
      post(api, "/api/v1/loop",
           R"({"model":"jenkins","parameters":{"slip_force":2,"stiffness":4},"amplitude":1.5,"points":10})");
  ASSERT_EQ(loop.status, 200) << loop.body;
  EXPECT_NE(loop.body.find("\"dissipation\": 8"), std::string::npos) << loop.body;  // 4 fs (a - fs/kt)
  const WebReply report =
      post(api, "/api/v1/loop",
           R"({"model":"jenkins","parameters":{"slip_force":2,"stiffness":4},"amplitude":1.5,"form":"html"})");
  EXPECT_EQ(report.body.rfind("<!doctype html>", 0), 0U);
}

TEST(Api, IsFoundUnderItsOwnNamesAlone) {
  Api api;
  const char* jenkins = R"({"model":"jenkins","parameters":{"slip_force":2,"stiffness":4},"amplitude":1.5})";
  EXPECT_EQ(post(api, "/api/v1/loop", jenkins).status, 200);
  for (const char* path : {"/api/v1zloop", "/api/v1loop", "/api/v1//loop", "/api/v1/loop/", "/api/v1/"})
    EXPECT_EQ(post(api, path, jenkins).status, 404) << path;
}

TEST(Api, SaysWhatIsWrongInOneLine) {
  Api api;
  const auto message = [&](const std::string& body) {
    const WebReply reply = post(api, "/api/v1/loop", body);
    EXPECT_EQ(reply.status, 400) << body;
    EXPECT_EQ(reply.body.find('\n'), std::string::npos);
    return reply.body;
  };
  EXPECT_NE(message("{\"model\":\"iwan5x\",\"parameters\":{},\"amplitude\":1}").find("did you mean"),
            std::string::npos);
  EXPECT_NE(message("{\"model\":\"jenkins\",\"parameters\":{},\"amplitude\":1,\"pionts\":3}").find("points"),
            std::string::npos);
  EXPECT_NE(message("").find("request"), std::string::npos);
  EXPECT_NE(message("{\"model\":\"jenkins\",\"parameters\":{\"stiffness\":\"x\"},\"amplitude\":1}").find("stiffness"),
            std::string::npos);
}

TEST(Api, AFormStandsOnlyWhereItIsRead) {
  Api api;
  const WebReply inside =
      post(api, "/api/v1/beam/live", R"({"beam":{"form":"html"},"support":{},"bolt":{},"load":{}})");
  EXPECT_EQ(inside.status, 400);
  EXPECT_NE(inside.body.find("beam.form is not known here"), std::string::npos) << inside.body;
  ASSERT_EQ(post(api, "/api/v1/ringdown", R"({"files":[1],"mode":100,"form":"html"})").status, 202);
  EXPECT_NE(failure_of_job(api, 1).find("form is not known here"), std::string::npos);
}

TEST(Api, FilesAreReadByNumberAndErrorsUseTheUsersName) {
  Api api;
  EXPECT_EQ(post(api, "/api/v1/files", "force,dissipation\n1,2\n", "../../a.csv").status, 201);
  const WebReply table = post(api, "/api/v1/table", "{\"file\":1}");
  EXPECT_EQ(table.status, 200) << table.body;
  post(api, "/api/v1/files", "force,dissipation\n1,oops\n", "second set.csv");
  const WebReply wrong = post(api, "/api/v1/table", "{\"file\":2}");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_NE(wrong.body.find("second set.csv:2"), std::string::npos) << wrong.body;
  EXPECT_EQ(wrong.body.find("microslip-serve"), std::string::npos) << wrong.body;
  // Nor does a path of the server's own stand in a result, and no name breaks out of the JSON it stands in.
  post(api, "/api/v1/files", "force,dissipation\n10,1e-6\n50,1e-4\n", "a\"b<c>\\.csv");
  const WebReply fit = post(api, "/api/v1/fit/dissipation", "{\"files\":[3],\"slip_force\":100}");
  EXPECT_EQ(fit.status, 200) << fit.body;
  EXPECT_EQ(fit.body.find("microslip-serve"), std::string::npos) << fit.body;
  EXPECT_EQ(fit.body.find("a\"b"), std::string::npos) << fit.body;
  // A report speaks of the file by the user's name, also where the verb shortens it.
  post(api, "/api/v1/files", "force,dissipation\n10,1e-6\n50,1e-4\n", "my data.csv");
  const WebReply page = post(api, "/api/v1/fit/dissipation", "{\"files\":[4],\"slip_force\":100,\"form\":\"page\"}");
  EXPECT_NE(page.body.find("\"subtitle\":\"my data\""), std::string::npos) << page.body;
  EXPECT_NE(page.body.find("{\"name\":\"my data.csv\",\"sha256\":\""), std::string::npos) << page.body;
  for (const char* id : {"0", "-1", "5", "1.5", "1.5e300", "null", "\"/etc/passwd\""})
    EXPECT_EQ(post(api, "/api/v1/table", std::string("{\"file\":") + id + "}").status, 400) << id;
  EXPECT_EQ(post(api, "/api/v1/files", "", "empty.csv").status, 400);
}

TEST(ReceivedFiles, AreShownInWholeLettersOfUtf8) {
  ReceivedFiles files;
  EXPECT_EQ(files
                .add("Gr\xF6\xDF"
                     "e\n.csv",
                     "1")
                .shown_name,
            "Gr??e .csv");
  EXPECT_EQ(files.add(std::string(119, 'a') + "ü.csv", "1").shown_name, std::string(119, 'a'));
  EXPECT_EQ(files.add(std::string(118, 'a') + "ü.csv", "1").shown_name, std::string(118, 'a') + "ü");
  EXPECT_EQ(files.add("", "1").shown_name, "file");
}

TEST(ReceivedFiles, LeaveNothingBehind) {
  std::filesystem::path folder;
  {
    ReceivedFiles files;
    const auto file = files.add("x.csv", "1");
    folder = file.path.parent_path();
    EXPECT_TRUE(std::filesystem::exists(file.path));
    EXPECT_EQ(files.add("a/../b.tar.<>", "1").path.parent_path(), folder);
    EXPECT_EQ(std::filesystem::status(folder).permissions() & std::filesystem::perms::others_all,
              std::filesystem::perms::none);
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

Jobs::Status wait_for(const Jobs& jobs, std::uint64_t id) {
  Jobs::Status status;
  for (int i = 0; i < 20000; ++i) {
    EXPECT_TRUE(jobs.status(id, status));
    if (status.state != Jobs::State::queued && status.state != Jobs::State::running) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return status;
}

TEST(Jobs, FinishFailAndAreCancelled) {
  Jobs jobs(1, 2);
  const auto fine = jobs.start([](const Progress& progress) {
    progress.at(0.5, "half");
    return Jobs::Result{.json = "1", .report = ""};
  });
  const Jobs::Status done = wait_for(jobs, fine);
  ASSERT_TRUE(done.result);
  EXPECT_EQ(done.result->json, "1");
  const auto wrong = jobs.start([](const Progress&) -> Jobs::Result { throw InvalidInput("no"); });
  const Jobs::Status failed = wait_for(jobs, wrong);
  ASSERT_TRUE(failed.error);
  EXPECT_THROW(std::rethrow_exception(failed.error), InvalidInput);

  const auto endless = [](const Progress& progress) {
    while (!progress.stopped()) std::this_thread::yield();
    return Jobs::Result{};
  };
  const auto running = jobs.start(endless);
  Jobs::Status status;
  while (jobs.status(running, status) && status.state == Jobs::State::queued) std::this_thread::yield();
  const auto waiting = jobs.start(endless);
  EXPECT_NE(jobs.start(endless), 0U);
  EXPECT_EQ(jobs.start(endless), 0U) << "two wait already";
  EXPECT_TRUE(jobs.cancel(waiting));
  EXPECT_NE(jobs.start(endless), 0U) << "one that was cancelled does not wait";
  EXPECT_TRUE(jobs.cancel(running));
  EXPECT_EQ(wait_for(jobs, running).state, Jobs::State::cancelled);
  EXPECT_EQ(wait_for(jobs, waiting).state, Jobs::State::cancelled);
  EXPECT_FALSE(jobs.cancel(999));
}  // others still run: the destructor stops it

TEST(Jobs, KeepResultsUpToALimitAndTheLatestAlways) {
  Jobs jobs(1, 8, 100);
  const auto of_size = [&](std::size_t bytes) {
    const auto id = jobs.start([bytes](const Progress&) {
      return Jobs::Result{.json = std::string(bytes / 2, '1'), .report = std::string(bytes - bytes / 2, '2')};
    });
    wait_for(jobs, id);
    return id;
  };
  Jobs::Status status;
  const auto first = of_size(60), second = of_size(40);
  EXPECT_TRUE(jobs.status(first, status)) << "100 bytes are allowed";
  const auto third = of_size(41);
  EXPECT_FALSE(jobs.status(first, status)) << "141 are not";
  EXPECT_TRUE(jobs.status(second, status)) << "81 are";
  const auto large = of_size(1000);
  EXPECT_FALSE(jobs.status(second, status));
  EXPECT_FALSE(jobs.status(third, status));
  ASSERT_TRUE(jobs.status(large, status)) << "the latest can be fetched";
  EXPECT_EQ(status.result->json.size(), 500U);
}

TEST(Api, AJobThatFailsSaysOfWhatKind) {
  Api api;
  ASSERT_EQ(post(api, "/api/v1/files", "not a record\n", "hit.csv").status, 201);
  ASSERT_EQ(post(api, "/api/v1/ringdown", R"({"files":[1],"mode":100})").status, 202);
  const std::string said = failure_of_job(api, 1);
  EXPECT_NE(said.find("hit.csv"), std::string::npos) << said;
  EXPECT_NE(said.find("400"), std::string::npos) << said;
}

}  // namespace
}  // namespace microslip::app
