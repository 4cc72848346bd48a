#pragma once

#include <filesystem>

#include <microslip/identify/prediction.hpp>
#include <microslip/io/records.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

struct PredictOptions {
  std::filesystem::path model;   ///< result of `fit modal --json`, or TOML with [[mode]] and [[sensor]]
  std::filesystem::path record;  ///< with a force channel
  std::filesystem::path shapes;  ///< as for `ringdown`, where the model has none; empty: the model's own
  io::ReadOptions reading;
  PredictionOptions comparing;
};

struct PredictResult {
  PredictOptions options;
  ModalModel model;
  Prediction prediction;
  std::string unit;
};

PredictResult run_predict(const PredictOptions& options, const Progress& progress = {});
Output predict(const PredictOptions& options, const Progress& progress = {});

/// The report of a prediction.
report::Page predict_page(const PredictResult& result);

}  // namespace microslip::verbs
