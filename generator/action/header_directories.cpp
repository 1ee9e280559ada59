#include "action/toolchain.h"
#include "base/strings.h"

namespace scene_kernels {

namespace {

// Where the listing of `-E -v` is.
enum class Part { before, quote, directories, behind };

constexpr std::string_view k_nonexistent = "ignoring nonexistent directory \"";
constexpr std::string_view k_duplicate = "ignoring duplicate directory \"";

// `ignoring nonexistent directory "/a"`; nothing for lines that start otherwise.
std::optional<std::string> ignored_directory(const std::string &line, std::string_view start) {
    if (line.starts_with(start) && line.back() == '"' && line.size() > start.size()) {
        return line.substr(start.size(), line.size() - start.size() - 1);
    }
    return std::nullopt;
}

}  // namespace

Expected<HeaderDirectories> ask_header_directories(ProcessRunner &processes, const ToolchainQuery &query,
                                                   const std::vector<std::string> &args) {
    ProcessSpec spec;
    spec.argv = {query.compiler};
    spec.argv.insert(spec.argv.end(), args.begin(), args.end());
    for (const char *word : {"-E", "-v", "-x", "c++", "/dev/null", "-o", "/dev/null"}) {
        spec.argv.emplace_back(word);
    }
    spec.directory = query.directory;
    spec.environment = query.environment;
    spec.environment["PATH"] = query.search_path;
    spec.environment["LC_ALL"] = "C";
    SK_TRY(const ProcessResult result, processes.run(spec));
    if (result.exit_status != 0) {
        return failure("toolchain \"" + query.name + "\": cannot find its header directories: " +
                       shell_command(spec.argv) + " ended with exit status " + std::to_string(result.exit_status) +
                       ":\n" + result.error_output.substr(0, 2000));
    }
    HeaderDirectories found;
    Part part = Part::before;
    for (const std::string &line : split(result.error_output, '\n')) {
        if (line == "#include \"...\" search starts here:") {
            part = Part::quote;
        } else if (line == "#include <...> search starts here:") {
            part = Part::directories;
        } else if (line == "End of search list.") {
            part = Part::behind;
        } else if (auto missing = ignored_directory(line, k_nonexistent)) {
            found.elsewhere.push_back(*missing);
            found.missing.push_back(std::move(*missing));
        } else if (auto duplicate = ignored_directory(line, k_duplicate)) {
            found.elsewhere.push_back(std::move(*duplicate));
        } else if (part == Part::quote && line.substr(0, 1) == " ") {
            found.quote.push_back(line.substr(1));
        } else if (part == Part::directories && line.substr(0, 1) == " ") {
            found.directories.push_back(line.substr(1));
        }
    }
    if (part != Part::behind) {
        return failure("toolchain \"" + query.name + "\": " + shell_command(spec.argv) +
                       " lists no header directories; is its family right?");
    }
    return found;
}

}  // namespace scene_kernels
