#include "support/trace.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "support/files.h"

namespace scene_kernels::e2e {

namespace {

bool is_octal(char c) {
    return c >= '0' && c <= '7';
}

// Reads a C string literal at text[at] == '"'; leaves `at` behind it.
std::string literal(std::string_view text, std::size_t &at) {
    std::string value;
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] != '\\' || at + 1 >= text.size()) {
            value += text[at];
            continue;
        }
        ++at;
        if (is_octal(text[at])) {
            int code = 0;
            std::size_t end = at;
            while (end < text.size() && end < at + 3 && is_octal(text[end])) {
                code = code * 8 + (text[end++] - '0');
            }
            at = end - 1;
            value += static_cast<char>(code);
        } else {
            const std::string_view letters = "tnrvf";
            const std::size_t known = letters.find(text[at]);
            value += known == std::string_view::npos ? text[at] : "\t\n\r\v\f"[known];
        }
    }
    ++at;
    return value;
}

// `execve("PATH", ["ARG", ...], ...`: the program and its arguments.
std::optional<TraceEvent> parse_exec(pid_t pid, std::string_view call) {
    std::size_t at = call.find('"');
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    TraceEvent event;
    event.pid = pid;
    event.program = std::filesystem::path(literal(call, at)).filename().string();
    at = call.find('[', at);
    while (at < call.size() && call[at] != ']') {
        if (call[at] == '"') {
            event.argv.push_back(literal(call, at));
        } else {
            ++at;
        }
    }
    return event;
}

bool has_prefix(std::string_view name, std::initializer_list<std::string_view> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return name.starts_with(p); });
}

// "g++", "x86_64-linux-gnu-g++-12", "clang++-14", "clang-14", "ccec", ...
bool is_driver(std::string_view name) {
    return name == "cc" || name == "ccec" || has_prefix(name, {"g++", "gcc", "c++", "clang"}) ||
           name.find("-g++") != std::string_view::npos || name.find("-gcc") != std::string_view::npos;
}

bool is_compiler_part(std::string_view name) {
    return name == "as" || name.ends_with("-as") || has_prefix(name, {"ld", "collect2", "lto", "cc1"}) ||
           name.find("-ld") != std::string_view::npos;
}

bool has(const std::vector<std::string> &argv, std::string_view word) {
    return std::find(argv.begin(), argv.end(), word) != argv.end();
}

bool asks_only(const std::vector<std::string> &argv) {
    return has(argv, "-###") || has(argv, "-cc1") || has(argv, "-E") || has(argv, "/dev/null");
}

}  // namespace

Trace Trace::parse(std::string_view text) {
    Trace trace;
    std::map<pid_t, std::string> unfinished;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        pid_t pid = 0;
        const char *rest = std::from_chars(line.data(), line.data() + line.size(), pid).ptr;
        line.erase(0, line.find_first_not_of(' ', static_cast<std::size_t>(rest - line.data())));
        if (line.starts_with("+++")) {
            trace.m_events.push_back({pid, "", {}});
            continue;
        }
        if (line.ends_with("<unfinished ...>")) {
            unfinished[pid] = line;
            continue;
        }
        if (line.starts_with("<...")) {
            line = unfinished[pid] + line;
        }
        if (line.starts_with("execve") && line.ends_with(" = 0")) {
            if (auto event = parse_exec(pid, line)) {
                trace.m_events.push_back(*std::move(event));
            }
        }
    }
    return trace;
}

std::vector<std::string> Trace::programs() const {
    std::vector<std::string> names;
    for (const TraceEvent &event : m_events) {
        if (!event.program.empty()) {
            names.push_back(event.program);
        }
    }
    if (!names.empty()) {
        names.erase(names.begin());
    }
    return names;
}

int Trace::count(std::string_view program) const {
    return static_cast<int>(std::count_if(m_events.begin(), m_events.end(),
                                          [&](const TraceEvent &event) { return event.program == program; }));
}

int Trace::compiler_processes() const {
    return static_cast<int>(std::count_if(m_events.begin(), m_events.end(), [](const TraceEvent &event) {
        return is_driver(event.program) || is_compiler_part(event.program);
    }));
}

std::vector<std::string> Trace::compiled() const {
    std::vector<std::string> sources;
    for (const TraceEvent &event : m_events) {
        if (!is_driver(event.program) || !has(event.argv, "-c") || asks_only(event.argv)) {
            continue;
        }
        for (const std::string &argument : event.argv) {
            if (argument.ends_with(".cpp")) {
                sources.push_back(std::filesystem::path(argument).filename().string());
            }
        }
    }
    std::sort(sources.begin(), sources.end());
    return sources;
}

int Trace::most_compilers_alive() const {
    std::set<pid_t> alive;
    std::size_t most = 0;
    for (const TraceEvent &event : m_events) {
        if (event.program.empty()) {
            alive.erase(event.pid);
        } else if (is_driver(event.program) && has(event.argv, "-o") && !asks_only(event.argv)) {
            alive.insert(event.pid);
        }
        most = std::max(most, alive.size());
    }
    return static_cast<int>(most);
}

TracedResult run_traced(const Command &command) {
    const TemporaryFolder folder("trace");
    const std::filesystem::path file = folder.path() / "trace.txt";
    Command traced = command;
    traced.argv = {
        "/usr/bin/strace", "-f", "--seccomp-bpf", "-q", "-e", "trace=execve", "-e", "signal=none", "-s", "8192", "-o",
        file.string(),     "--"};
    traced.argv.insert(traced.argv.end(), command.argv.begin(), command.argv.end());
    TracedResult traced_result;
    traced_result.result = run(traced);
    traced_result.trace = Trace::parse(read_file(file));
    return traced_result;
}

}  // namespace scene_kernels::e2e
