/* A stand-in for googletest with what the mains of simulator sources use: TEST, TEST_F, EXPECT_..., ASSERT_..., the name of the test
 * that runs, and a main. */
#pragma once

#include <cstdio>
#include <vector>

namespace testing
{

class Test
{
  public:
    virtual ~Test() = default;
    virtual void SetUp()
    {
    }
    virtual void TearDown()
    {
    }
    virtual void TestBody() = 0;
};

struct TestInfo {
    const char *suite, *test;
    Test *(*make)();
    const char *test_suite_name() const
    {
        return suite;
    }
    const char *name() const
    {
        return test;
    }
};

struct UnitTest {
    std::vector<TestInfo> tests;
    const TestInfo *running = nullptr;
    int failures = 0;
    static UnitTest *GetInstance()
    {
        static UnitTest one;
        return &one;
    }
    const TestInfo *current_test_info() const
    {
        return running;
    }
    bool add(TestInfo info)
    {
        tests.push_back(info);
        return true;
    }
    int run()
    {
        for (const TestInfo &info : tests) {
            Test *test = info.make();
            running = &info;
            test->SetUp();
            test->TestBody();
            test->TearDown();
            delete test;
        }
        std::printf("%zu tests, %d failures\n", tests.size(), failures);
        return failures > 0;
    }
};

inline void expect(bool holds, const char *what, int line)
{
    if (holds)
        return;
    std::printf("line %d: %s does not hold\n", line, what);
    UnitTest::GetInstance()->failures++;
}

} // namespace testing

#define STAND_IN_TEST(SUITE, NAME, BASE)                                                                               \
    class SUITE##_##NAME : public BASE                                                                                 \
    {                                                                                                                  \
        void TestBody() override;                                                                                      \
    };                                                                                                                 \
    static bool added_##SUITE##_##NAME = testing::UnitTest::GetInstance()->add(                                        \
        {#SUITE, #NAME, []() -> testing::Test * { return new SUITE##_##NAME; }});                                      \
    void SUITE##_##NAME::TestBody()
#define TEST(SUITE, NAME) STAND_IN_TEST(SUITE, NAME, testing::Test)
#define TEST_F(SUITE, NAME) STAND_IN_TEST(SUITE, NAME, SUITE)
#define EXPECT_TRUE(x) testing::expect(static_cast<bool>(x), #x, __LINE__)
#define EXPECT_EQ(a, b) testing::expect((a) == (b), #a " == " #b, __LINE__)
#define ASSERT_TRUE(x) EXPECT_TRUE(x)

int main()
{
    return testing::UnitTest::GetInstance()->run();
}
