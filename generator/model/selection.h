// Decides which callables apply: platforms, manual cases, skip conditions and `--select` expressions.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/scene.h"

namespace scene_kernels {

// `--select`: `and`, `or`, `not`, parentheses over words. A word matches as pytest's -k does (case-insensitive part of
// the scene's or the callable's name) or as -m does (equal to a label). `scene:NAME`, `callable:NAME` and `label:NAME`
// match exactly. The empty expression matches everything.
class SelectExpression {
public:
    // Errors (kind input) say the column and what was expected there. Nesting and length are bounded.
    [[nodiscard]] static Expected<SelectExpression> parse(std::string_view text);

    SelectExpression();
    ~SelectExpression();
    SelectExpression(SelectExpression &&) noexcept;
    SelectExpression &operator=(SelectExpression &&) noexcept;

    [[nodiscard]] bool matches(const Scene &scene, const Callable &callable) const;

    struct Node;

private:
    std::shared_ptr<const Node> m_root;
};

enum class ManualMode : std::uint8_t { exclude, include, only };

// What skip conditions may look at. `environment` and `has_tool` are asked for names as they come up, so that the
// caller can record them.
struct SelectionContext {
    std::string platform;
    std::string system;   // host OS
    std::string machine;  // host machine
    std::function<std::optional<std::string>(const std::string &)> environment;
    std::function<bool(const std::string &)> has_tool;
    ManualMode manual = ManualMode::exclude;
};

enum class SkipKind : std::uint8_t { platform, manual, condition, select };

struct SkipReason {
    SkipKind kind = SkipKind::platform;
    std::string text;  // for people: "no case lists platform a5", "manual", "case default: needs a device", ...
};

// Nothing if at least one case of `scene` applies and the expression matches `callable`; else why not.
[[nodiscard]] std::optional<SkipReason> skip_reason(const Scene &scene, const Callable &callable,
                                                    const SelectExpression &select, const SelectionContext &context);

}  // namespace scene_kernels
