#include "memory_filesystem.h"

#include "base/strings.h"

namespace scene_kernels {

namespace {

tl::unexpected<Error> absent(const std::string &path) {
    return failure("no such file: " + path);
}

}  // namespace

MemoryFileSystem::MemoryFileSystem(FakeClock &clock) : m_clock(clock) {
    make("/", FileType::directory, "");
}

MemoryFileSystem::Node &MemoryFileSystem::make(const std::string &path, FileType type, std::string_view content) {
    Node &node = m_nodes[path];
    node.content = content;
    node.stat.type = type;
    node.stat.device = 1;
    node.stat.inode = m_next_inode++;
    node.stat.size = content.size();
    node.stat.disk_bytes = (content.size() + 4095) / 4096 * 4096;
    node.stat.mtime_ns = node.stat.ctime_ns = m_clock.now;
    node.stat.mode = type == FileType::directory ? 0755 : 0644;
    touch_parent(path);
    return node;
}

void MemoryFileSystem::touch_parent(const std::string &path) {
    const auto parent = m_nodes.find(std::string(path_parent(path)));
    if (parent != m_nodes.end()) {
        parent->second.stat.mtime_ns = parent->second.stat.ctime_ns = m_clock.now;
    }
}

std::string MemoryFileSystem::resolved(const std::string &path) const {
    std::string real = path_normal(path);
    for (int depth = 0; depth < 40; ++depth) {
        bool changed = false;
        for (std::size_t end = real.find('/', 1);; end = real.find('/', end + 1)) {
            const std::string prefix = real.substr(0, end);
            const auto node = m_nodes.find(prefix);
            if (node != m_nodes.end() && node->second.stat.type == FileType::symlink) {
                const std::string rest = end == std::string::npos ? "" : real.substr(end + 1);
                const std::string target = path_join(path_parent(prefix), node->second.content);
                real = path_normal(rest.empty() ? target : target + "/" + rest);
                changed = true;
                break;
            }
            if (end == std::string::npos) {
                break;
            }
        }
        if (!changed) {
            break;
        }
    }
    return real;
}

void MemoryFileSystem::add(const std::string &path, std::string_view bytes) {
    add_directory(std::string(path_parent(path)));
    const auto node = m_nodes.find(path);
    if (node != m_nodes.end() && node->second.stat.type == FileType::regular) {
        node->second.content = bytes;
        node->second.stat.size = bytes.size();
        node->second.stat.mtime_ns = node->second.stat.ctime_ns = m_clock.now;
        return;
    }
    make(path, FileType::regular, bytes);
}

void MemoryFileSystem::add_directory(const std::string &path) {
    if (m_nodes.contains(path)) {
        return;
    }
    add_directory(std::string(path_parent(path)));
    make(path, FileType::directory, "");
}

Expected<std::optional<FileStat>> MemoryFileSystem::stat(const std::string &path) {
    ++stats;
    const auto node = m_nodes.find(resolved(path));
    return node == m_nodes.end() ? std::nullopt : std::optional<FileStat>(node->second.stat);
}

Expected<std::optional<FileStat>> MemoryFileSystem::lstat(const std::string &path) {
    ++stats;
    const std::string parent = resolved(std::string(path_parent(path)));
    const auto node = m_nodes.find(path_join(parent, path_name(path)));
    return node == m_nodes.end() ? std::nullopt : std::optional<FileStat>(node->second.stat);
}

Expected<std::string> MemoryFileSystem::read(const std::string &path) {
    ++reads;
    const auto node = m_nodes.find(resolved(path));
    if (node == m_nodes.end() || node->second.stat.type != FileType::regular) {
        return absent(path);
    }
    return node->second.content;
}

Expected<std::optional<std::vector<DirectoryEntry>>> MemoryFileSystem::list(const std::string &path) {
    ++lists;
    const std::string directory = resolved(path);
    const auto self = m_nodes.find(directory);
    if (self == m_nodes.end() || self->second.stat.type != FileType::directory) {
        return std::nullopt;
    }
    std::vector<DirectoryEntry> entries;
    for (const auto &[name, node] : m_nodes) {
        if (name != directory && path_parent(name) == directory) {
            entries.push_back({std::string(path_name(name)), node.stat.type});
        }
    }
    return entries;
}

Expected<std::optional<std::string>> MemoryFileSystem::read_link(const std::string &path) {
    const auto node = m_nodes.find(path);
    if (node == m_nodes.end() || node->second.stat.type != FileType::symlink) {
        return std::nullopt;
    }
    return node->second.content;
}

Expected<std::string> MemoryFileSystem::real_path(const std::string &path) {
    const std::string real = resolved(path);
    if (!m_nodes.contains(real)) {
        return absent(path);
    }
    return real;
}

Expected<void> MemoryFileSystem::write(const std::string &path, std::string_view bytes, bool /*durable*/) {
    ++writes;
    if (!m_nodes.contains(resolved(std::string(path_parent(path))))) {
        return absent(path);
    }
    make(path, FileType::regular, bytes);
    return {};
}

Expected<void> MemoryFileSystem::append(const std::string &path, std::string_view bytes) {
    ++writes;
    const auto node = m_nodes.find(resolved(path));
    add(resolved(path), (node == m_nodes.end() ? "" : node->second.content) + std::string(bytes));
    return {};
}

Expected<void> MemoryFileSystem::truncate(const std::string &path, std::uint64_t size) {
    const auto node = m_nodes.find(resolved(path));
    if (node == m_nodes.end()) {
        return absent(path);
    }
    add(resolved(path), node->second.content.substr(0, size));
    return {};
}

Expected<void> MemoryFileSystem::create_directories(const std::string &path) {
    add_directory(resolved(path));
    return {};
}

Expected<bool> MemoryFileSystem::create_directory(const std::string &path) {
    if (m_nodes.contains(resolved(path))) {
        return false;
    }
    make(resolved(path), FileType::directory, "");
    return true;
}

Expected<void> MemoryFileSystem::write_link(const std::string &path, const std::string &target) {
    ++writes;
    make(path, FileType::symlink, target);
    return {};
}

Expected<bool> MemoryFileSystem::rename(const std::string &from, const std::string &to) {
    if (!m_nodes.contains(from)) {
        return absent(from);
    }
    const auto target = m_nodes.find(to);
    if (target != m_nodes.end() && target->second.stat.type == FileType::directory) {
        for (const auto &[name, node] : m_nodes) {
            if (name != to && path_is_inside(name, to)) {
                return false;
            }
        }
    }
    std::map<std::string, Node> moved;
    for (auto node = m_nodes.begin(); node != m_nodes.end();) {
        if (path_is_inside(node->first, from)) {
            moved.emplace(to + node->first.substr(from.size()), node->second);
            node = m_nodes.erase(node);
        } else {
            ++node;
        }
    }
    for (auto &[name, node] : moved) {
        m_nodes[name] = node;
    }
    touch_parent(from);
    touch_parent(to);
    return true;
}

Expected<bool> MemoryFileSystem::remove(const std::string &path) {
    touch_parent(path);
    return m_nodes.erase(path) > 0;
}

Expected<void> MemoryFileSystem::remove_all(const std::string &path) {
    std::erase_if(m_nodes, [&path](const auto &node) { return path_is_inside(node.first, path); });
    touch_parent(path);
    return {};
}

Expected<void> MemoryFileSystem::set_mtime(const std::string &path, std::int64_t mtime_ns) {
    const auto node = m_nodes.find(resolved(path));
    if (node == m_nodes.end()) {
        return absent(path);
    }
    node->second.stat.mtime_ns = mtime_ns;
    node->second.stat.ctime_ns = m_clock.now;
    return {};
}

Expected<void> MemoryFileSystem::set_mode(const std::string &path, std::uint32_t mode) {
    const auto node = m_nodes.find(resolved(path));
    if (node == m_nodes.end()) {
        return absent(path);
    }
    node->second.stat.mode = mode;
    return {};
}

Expected<void> MemoryFileSystem::sync(const std::string & /*path*/) {
    return {};
}

bool MemoryFileSystem::is_executable(const std::string &path) {
    const auto node = m_nodes.find(resolved(path));
    return node != m_nodes.end() && (node->second.stat.mode & 0111U) != 0;
}

bool MemoryFileSystem::is_writable(const std::string &path) {
    const auto node = m_nodes.find(resolved(path));
    return node != m_nodes.end() && (node->second.stat.mode & 0222U) != 0;
}

}  // namespace scene_kernels
