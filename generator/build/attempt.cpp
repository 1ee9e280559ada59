#include "build/attempt.h"

#include <algorithm>
#include <set>

#include "action/toolchain.h"
#include "base/strings.h"
#include "build/closure_finder.h"
#include "build/command_line.h"
#include "build/elf.h"
#include "build/messages.h"
#include "build/output_check.h"
#include "build/packing.h"
#include "os/process.h"

namespace scene_kernels {

namespace {

const char *output_name(ActionKind kind) {
    switch (kind) {
        case ActionKind::image:
            return "image.bin";
        case ActionKind::object:
            return "object.o";
        case ActionKind::library:
            return "library.so";
        case ActionKind::packer:
            return k_packer_output;
        case ActionKind::callable:
            break;
    }
    return k_callable_output;
}

class Runner {
public:
    Runner(BuildContext &context, const std::vector<Part> &parts, const std::string &staging, bool color)
        : m_context(context),
          m_parts(parts),
          m_staging(staging),
          m_scratch(path_join(staging, "tmp")),
          m_color(color) {}

    Expected<Attempt> run() {
        m_attempt.start_ns = m_context.services.clock->now_ns();
        SK_CHECK(m_context.services.files->create_directories(m_scratch));
        const Action &action = m_context.action;
        for (std::size_t i = 0; i < action.steps.size() && !m_attempt.failed; ++i) {
            SK_CHECK(run_step(i));
        }
        if (!m_attempt.failed) {
            SK_CHECK(finish_outputs());
        }
        if (!m_attempt.failed) {
            SK_CHECK(find_closure());
        }
        if (!m_attempt.failed) {
            SK_CHECK(describe_outputs());
        }
        // What is left in here is the commands' own.
        SK_CHECK(m_context.services.files->remove_all(m_scratch));
        return std::move(m_attempt);
    }

private:
    const Action &action() const { return m_context.action; }
    FileSystem &files() const { return *m_context.services.files; }

    std::string scratch_file(const std::string &kind, std::size_t step) const {
        return path_join(m_scratch, kind + std::to_string(step));
    }

    // Every step but the last command writes to an intermediate place if an extraction follows.
    bool is_last_command(std::size_t step) const {
        for (std::size_t i = step + 1; i < action().steps.size(); ++i) {
            if (!action().steps[i].extract.empty()) {
                return false;
            }
        }
        return true;
    }

    StepPlaces places_of(std::size_t step) const {
        StepPlaces places;
        places.output = is_last_command(step) ? path_join(m_staging, output_name(action().kind)) : linked_image();
        places.object = path_join(m_scratch, "object.o");
        places.depfile = scratch_file("depfile", step);
        places.link_depfile = scratch_file("linkdep", step);
        places.assembler_depfile = scratch_file("asmdep", step);
        for (std::size_t i = 0; i < m_parts.size() && action().kind == ActionKind::library; ++i) {
            places.objects.push_back(path_join(m_parts[i].directory, m_parts[i].manifest.outputs.front().name));
        }
        return places;
    }

    std::string linked_image() const { return path_join(m_scratch, "linked"); }

    ProcessSpec process_spec() const {
        ProcessSpec spec;
        spec.directory = m_context.roots.source_root();
        spec.environment = m_context.surroundings.environment;
        spec.environment["PATH"] = m_context.surroundings.search_path;
        spec.environment["TMPDIR"] = m_scratch;
        return spec;
    }

    void fail(const std::string &reason, std::size_t step, bool show_rerun) {
        m_attempt.failed = true;
        m_attempt.reason = reason;
        std::string &text = m_attempt.output;
        if (!text.empty() && text.back() != '\n') {
            text += '\n';
        }
        text += "scene-kernels: " + reason + "\n";
        for (const std::string &user : action().users) {
            text += "  of " + user + "\n";
        }
        if (show_rerun) {
            const StepPlaces places = places_of(step);
            text += "to run it again:\n" +
                    rerun_line(action(), step, m_context.roots.source_root(), m_context.surroundings, places.objects) +
                    "\n";
        }
    }

    Expected<void> run_step(std::size_t index) {
        const ActionStep &step = action().steps[index];
        if (!step.extract.empty()) {
            return extract(index);
        }
        CommandOptions options;
        options.color = m_color;
        ProcessSpec spec = process_spec();
        if (action().launcher == Launcher::ccache) {
            const auto launcher = find_program(files(), "ccache", m_context.surroundings.search_path);
            if (!launcher) {
                fail("the launcher ccache was asked for, but PATH has none; install it or give --launcher none", index,
                     false);
                return {};
            }
            options.launcher = *launcher;
            const std::string directory = path_join(m_context.header.store, "ccache");
            spec.environment.merge(ccache_environment(action(), directory));
        }
        const StepPlaces places = places_of(index);
        spec.argv = command_of(step, places, options);
        spec.merge_output = true;
        ++m_attempt.commands;
        SK_TRY(const ProcessResult result, m_context.services.processes->run(spec));
        m_attempt.output += result.output;
        if (result.interrupted || interrupt_signal() != 0) {
            m_attempt.failed = true;
            m_attempt.interrupted = true;
            return {};
        }
        if (result.exit_status != 0) {
            fail(failure_text(step, result), index, true);
            return {};
        }
        StepReports reports;
        reports.sources = step.reads_sources && step.family != CompilerFamily::plain ? places.depfile : "";
        reports.assembler = step.asks_assembler && options.launcher.empty() ? places.assembler_depfile : "";
        reports.libraries = step.reads_libraries ? places.link_depfile : "";
        m_reports.emplace_back(index, reports);
        m_assembler_told = m_assembler_told || !reports.assembler.empty();
        return {};
    }

    static std::string failure_text(const ActionStep &step, const ProcessResult &result) {
        const std::string program(path_name(step.argv.front()));
        if (result.exit_status > 128) {
            return program + " was ended by signal " + std::to_string(result.exit_status - 128);
        }
        return program + " failed with status " + std::to_string(result.exit_status);
    }

    Expected<void> extract(std::size_t index) {
        SK_TRY(const std::string image, files().read(linked_image()));
        const auto section =
            extract_section(image, action().steps[index].extract, action().entry_symbol, action().machine);
        if (!section) {
            fail(section.error().message, index, false);
            return {};
        }
        return files().write(path_join(m_staging, output_name(action().kind)), *section);
    }

    // Checks what the commands made, and runs what is ours to run: the packer.
    Expected<void> finish_outputs() {
        if (action().kind == ActionKind::callable) {
            return pack();
        }
        const std::string path = path_join(m_staging, output_name(action().kind));
        SK_TRY(const auto present, files().stat(path));
        if (!present) {
            fail("the commands ended well but made no output", action().steps.size() - 1, true);
            return {};
        }
        SK_TRY(const std::string bytes, files().read(path));
        if (const auto checked = check_output(action(), bytes); !checked) {
            fail(checked.error().message, action().steps.size() - 1, true);
            return {};
        }
        if (action().kind == ActionKind::packer) {
            ++m_attempt.commands;
            const std::string sample = path_join(m_staging, k_sample_output);
            if (const auto written = write_sample(*m_context.services.processes, path, sample, process_spec());
                !written) {
                fail(written.error().message, action().steps.size() - 1, true);
            }
        }
        return {};
    }

    Expected<void> pack() {
        const PackSpec &spec = *action().pack;
        PackFiles places;
        places.directory = m_staging;
        places.scratch = m_scratch;
        const auto file_of = [this](std::size_t part, const char *name) {
            return path_join(m_parts[part].directory, name);
        };
        places.packer = file_of(spec.packer, k_packer_output);
        places.sample = file_of(spec.packer, k_sample_output);
        places.library = file_of(spec.library, output_name(ActionKind::library));
        for (const PackChild &child : spec.children) {
            places.images.push_back(file_of(child.dependency, output_name(ActionKind::image)));
        }
        ++m_attempt.commands;
        auto layout = pack_callable(files(), *m_context.services.processes, spec, places, process_spec());
        if (interrupt_signal() != 0) {
            m_attempt.failed = true;
            m_attempt.interrupted = true;
        } else if (!layout) {
            fail(layout.error().message, 0, false);
        } else {
            m_attempt.manifest.layout = std::move(*layout);
        }
        return {};
    }

    Expected<void> find_closure() {
        // Everything is looked at as it is now, after the commands.
        m_context.keys.forget();
        std::vector<std::string> ignored = {m_staging, m_context.header.store,
                                            path_join(m_context.graph_directory, "private")};
        for (const Part &part : m_parts) {
            ignored.push_back(part.directory);
        }
        ClosureFinder finder(files(), *m_context.services.processes, m_context.memory, *m_context.answers,
                             m_context.roots, m_context.names, m_context.searches, std::move(ignored));
        for (const auto &[index, reports] : m_reports) {
            SK_CHECK(finder.add(action(), action().steps[index], reports, m_context.surroundings));
        }
        m_attempt.closure = finder.take();
        m_attempt.files_read = finder.files_read();
        for (const std::vector<std::string> *more : {&action().inputs, &action().named_files}) {
            for (const std::string &file : *more) {
                m_attempt.files_read.push_back(m_context.roots.real(file));
            }
        }
        std::vector<Digest> digests;
        for (const Part &part : m_parts) {
            digests.push_back(part.digest);
        }
        SK_TRY(m_attempt.key, m_context.keys.key(action(), digests, m_attempt.closure));
        SK_TRY(const std::string precompiled, m_context.keys.precompiled_header(m_attempt.closure));
        if (!precompiled.empty()) {
            fail(precompiled, action().steps.size() - 1, false);
            return {};
        }
        SK_CHECK(decide_uncacheable());
        return note_changes();
    }

    Expected<void> decide_uncacheable() {
        SK_TRY(m_attempt.uncacheable, m_context.keys.uncacheable(action(), m_attempt.closure, m_assembler_told));
        for (std::size_t i = 0; i < m_parts.size() && m_attempt.uncacheable.empty(); ++i) {
            if (!m_parts[i].manifest.uncacheable.empty()) {
                m_attempt.uncacheable = "its part " + action().dependencies[i] + " is uncacheable";
            }
        }
        if (m_attempt.uncacheable.empty() && !m_assembler_told && action().inputs.empty()) {
            SK_CHECK(look_into_assembly());
        }
        for (const ActionStep &step : action().steps) {
            if (m_attempt.uncacheable.empty() && step.reads_sources && step.family == CompilerFamily::plain) {
                m_attempt.uncacheable = action().compiler + " (family \"plain\") does not tell which files it reads";
            }
        }
        return {};
    }

    // An integrated assembler does not tell what .incbin reads, and the directive may be put together from pieces that
    // no scan of the sources can see. So where a file of ours has inline assembly, the assembler text itself is
    // searched.
    Expected<void> look_into_assembly() {
        SK_TRY(const std::string place, first_mention_of_asm());
        if (place.empty()) {
            return {};
        }
        for (std::size_t i = 0; i < action().steps.size(); ++i) {
            const ActionStep &step = action().steps[i];
            if (!step.reads_sources || step.family == CompilerFamily::plain) {
                continue;
            }
            StepPlaces places = places_of(i);
            places.object = places.output = path_join(m_scratch, "assembly.s");
            ProcessSpec spec = process_spec();
            spec.argv = assembly_command_of(step, places);
            spec.merge_output = true;
            ++m_attempt.commands;
            SK_TRY(const ProcessResult result, m_context.services.processes->run(spec));
            const auto text = files().read(places.output);
            if (result.exit_status != 0 || !text || text->find(".incbin") != std::string::npos ||
                text->find(".include") != std::string::npos) {
                m_attempt.uncacheable =
                    place + ": inline assembly reads a file that the compiler does not report; list it in extra_inputs";
            }
        }
        return {};
    }

    // The first file of the closure, outside of the toolchain's own, that has inline assembly; empty if none.
    Expected<std::string> first_mention_of_asm() {
        for (const ClosureGroup &group : m_attempt.closure.groups) {
            for (const NameId file : group.sources) {
                const std::string &name = m_context.names.text(file);
                SK_TRY(const FileFacts *facts, m_context.memory.source_of(m_context.roots.real(name)));
                if (!is_absolute(name) && facts != nullptr && facts->source.mentions_asm) {
                    return name;
                }
            }
        }
        return std::string{};
    }

    // A change within a clock tick before the start might have come after the commands read the file.
    Expected<void> note_changes() {
        const std::int64_t limit = m_attempt.start_ns - k_clock_tick_ns;
        std::set<std::string> directories;
        for (const ClosureGroup &group : m_attempt.closure.groups) {
            const SearchList &list = m_context.searches.list(group.search);
            for (const NameId file : group.sources) {
                directories.insert(m_context.roots.real(path_parent(m_context.names.text(file))));
            }
            if (!group.sources.empty()) {
                for (const std::vector<NameId> *names : {&list.quote, &list.directories, &list.elsewhere}) {
                    for (const NameId directory : *names) {
                        directories.insert(m_context.roots.real(m_context.names.text(directory)));
                    }
                }
            }
        }
        for (const std::string &path : m_attempt.files_read) {
            SK_TRY(const auto status, m_context.memory.stat_of(path));
            if (!status || status->ctime_ns >= limit) {
                m_attempt.changed_file = path;
            }
        }
        for (const std::string &path : directories) {
            SK_TRY(const auto status, files().stat(path));
            if (status && status->ctime_ns >= limit) {
                m_attempt.changed_directory = path;
            }
        }
        return {};
    }

    Expected<void> describe_outputs() {
        Manifest &manifest = m_attempt.manifest;
        manifest.kind = action().kind;
        manifest.platform = action().platform;
        manifest.runtime = action().runtime;
        manifest.key = m_attempt.key.value_or(Digest{});
        manifest.uncacheable = m_attempt.uncacheable;
        manifest.messages = kept_messages(m_attempt.output, m_staging);
        std::vector<std::string> names = {output_name(action().kind)};
        if (action().kind == ActionKind::packer) {
            names.emplace_back(k_sample_output);
        }
        for (const std::string &name : names) {
            SK_TRY(const std::string bytes, files().read(path_join(m_staging, name)));
            manifest.outputs.push_back({name, bytes.size(), Sha256::of(bytes)});
        }
        return {};
    }

    BuildContext &m_context;
    const std::vector<Part> &m_parts;
    std::string m_staging;
    std::string m_scratch;
    bool m_color;
    bool m_assembler_told = false;
    std::vector<std::pair<std::size_t, StepReports>> m_reports;
    Attempt m_attempt;
};

}  // namespace

Expected<Attempt> attempt_action(BuildContext &context, const std::vector<Part> &parts, const std::string &staging,
                                 bool color) {
    return Runner(context, parts, staging, color).run();
}

}  // namespace scene_kernels
