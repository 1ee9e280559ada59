// Any bytes as request.json; what is accepted is written and read back as the same.
#include "fuzz_check.h"
#include "plan/request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace scene_kernels;
    const std::string graph = "/project/build/scene-kernels/default";
    const auto request = read_request(text_of(data, size), graph);
    if (!request) {
        check_error(request.error(), ErrorKind::input);
        return 0;
    }
    const auto written = write_request(*request);
    check(written.has_value(), "what was read can be written");
    const auto again = read_request(*written, request->graph_directory());
    check(again.has_value(), "what was written can be read", *written);
    check(write_request(*again) == *written, "a request comes back", *written);
    return 0;
}
