// Any bytes as a record log: records read in one go or in two are the same, good ones survive an appended one and a
// file written anew.
#include "fuzz_check.h"
#include "fuzz_log.h"
#include "memory_filesystem.h"

namespace scene_kernels {

namespace {

using Records = std::vector<std::pair<std::uint32_t, std::string>>;

class Collector final : public LogVisitor {
public:
    void restart() override { records.clear(); }
    void record(std::uint32_t type, std::string_view payload) override { records.emplace_back(type, payload); }
    Records records;
};

Records records_of(const RecordLog &log) {
    LogPosition position;
    Collector collector;
    check(log.read(position, collector).has_value(), "a log is read");
    return collector.records;
}

void check_log(std::string_view bytes) {
    FakeClock clock;
    MemoryFileSystem files(clock);
    files.add(k_log_path, bytes.substr(0, bytes.size() / 2));
    RecordLog log(files, k_log_path, k_log_magic, Locking::if_possible);
    LogPosition position;
    Collector collector;
    check(log.read(position, collector).has_value(), "half a log is read");
    files.add(k_log_path, bytes);
    check(log.read(position, collector).has_value(), "the rest is read");
    Records expected = records_of(log);
    check(collector.records == expected, "reading twice sees what reading once sees");
    expected.emplace_back(7, "new");
    const auto make = [] { return std::vector<LogRecord>{{7, "new"}}; };
    check(log.append(position, collector, make).has_value(), "a record is appended");
    check(collector.records == expected && records_of(log) == expected, "good records stay");
    check(log.rewrite(position, collector, make).has_value(), "a log is written anew");
    check(records_of(log) == Records{{7, "new"}} && collector.records == records_of(log), "a log written anew");
}

}  // namespace

}  // namespace scene_kernels

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::string_view bytes = text_of(data, size);
    check_log(bytes);
    check_log(with_right_checks(bytes, k_log_magic));
    return 0;
}
