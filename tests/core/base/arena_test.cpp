#include "core/base/arena.hpp"

#include <string>

#include <gtest/gtest.h>

namespace yomi {
namespace {

struct Node {
    std::string name;
    NodeIndex parent = kNoNode;
    friend bool operator==(const Node&, const Node&) = default;
};

TEST(Arena, KeepsNodesByIndexWhileItGrows) {
    Arena<Node> arena;
    EXPECT_TRUE(arena.empty());
    for (int i = 0; i < 10'000; ++i) {
        const NodeIndex made =
            arena.make(std::to_string(i), i == 0 ? kNoNode : static_cast<NodeIndex>(i - 1));
        ASSERT_EQ(made, static_cast<NodeIndex>(i));
    }
    EXPECT_EQ(arena.size(), 10'000U);
    const Arena<Node>& view = arena;
    for (NodeIndex i = 0; i < 10'000; ++i)
        ASSERT_EQ(view[i].name, std::to_string(i));
    arena[3].name = "three";
    EXPECT_EQ(view[3].name, "three");
    arena.clear();
    EXPECT_TRUE(arena.empty());
    EXPECT_EQ(arena.make("again", kNoNode), 0U);
}

TEST(Arena, StopsAtItsBoundAndLosesNothing) {
    Arena<Node> arena(3);
    for (NodeIndex i = 0; i < 3; ++i)
        ASSERT_EQ(arena.make("n", kNoNode), i);
    EXPECT_EQ(arena.make("too many", kNoNode), kNoNode);
    EXPECT_EQ(arena.make("too many", kNoNode), kNoNode);
    EXPECT_EQ(arena.size(), 3U);
    EXPECT_EQ(arena[2].name, "n");
    Arena<Node> none(0);
    EXPECT_EQ(none.make("n", kNoNode), kNoNode);
}

TEST(Arena, CopiesAndComparesAsAValue) {
    Arena<Node> arena;
    arena.make("root", kNoNode);
    arena.make("child", NodeIndex{0});
    Arena<Node> copy = arena;
    EXPECT_EQ(copy, arena);
    copy[1].name = "other";
    EXPECT_FALSE(copy == arena);
    EXPECT_EQ(arena[1].name, "child");
}

}  // namespace
}  // namespace yomi
