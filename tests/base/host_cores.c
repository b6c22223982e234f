/* The CPU quota of control groups, in made-up systems. */
#include "traces/base/threads/host_cores.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *root;

static void begin(void)
{
    root = make_folder();
}

/* Writes TEXT to the file NAME below the root, in folders that are made. */
static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
}

static void end(void)
{
    remove_folder(root);
}

START_TEST(none)
{
    ck_assert_uint_eq(host_cores_quota(root), 0);
    put("/proc/self/cgroup", "0::/user/job\n");
    ck_assert_uint_eq(host_cores_quota(root), 0);
    put("/sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
    ck_assert_uint_eq(host_cores_quota(root), 0);
    put("/sys/fs/cgroup/user/job/cpu.max", "0 0\n");
    ck_assert_uint_eq(host_cores_quota(root), 0);
    put("/sys/fs/cgroup/user/job/cpu.max", "\n");
    ck_assert_uint_eq(host_cores_quota(root), 0);
    ck_assert_uint_ge(host_cores_usable(), 1);
}
END_TEST

/* The least of all groups from the process's upwards; parts of a core do not count. */
START_TEST(version_2)
{
    put("/proc/self/cgroup", "0::/user/job\n");
    put("/sys/fs/cgroup/user/job/cpu.max", "850000 100000\n");
    ck_assert_uint_eq(host_cores_quota(root), 8);
    put("/sys/fs/cgroup/user/cpu.max", "300000 100000\n");
    ck_assert_uint_eq(host_cores_quota(root), 3);
    put("/sys/fs/cgroup/cpu.max", "20000 100000\n"); /* of a container, seen from inside */
    ck_assert_uint_eq(host_cores_quota(root), 1);
    put("/sys/fs/cgroup/other/cpu.max", "1000 100000\n");
    put("/sys/fs/cgroup/cpu.max", "max 100000\n");
    ck_assert_uint_eq(host_cores_quota(root), 3);
}
END_TEST

START_TEST(version_1)
{
    put("/proc/self/cgroup",
        "12:cpuset:/batch\n4:cpu,cpuacct:/batch\n1:name=systemd:/\n0::/\n");
    put("/sys/fs/cgroup/cpu/batch/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu/batch/cpu.cfs_period_us", "100000\n");
    ck_assert_uint_eq(host_cores_quota(root), 0);
    put("/sys/fs/cgroup/cpu/batch/cpu.cfs_quota_us", "400000\n");
    ck_assert_uint_eq(host_cores_quota(root), 4);
    put("/proc/self/cgroup", "4:cpuacct:/batch\n");
    ck_assert_uint_eq(host_cores_quota(root), 0);
}
END_TEST

START_TEST(broken)
{
    put("/proc/self/cgroup", "\nx\n:\n0:\n0:cpu\n::\n4:cpu,:\n");
    ck_assert_uint_eq(host_cores_quota(root), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cores");
    TCase *tcase = tcase_create("cores");
    tcase_add_checked_fixture(tcase, begin, end);
    tcase_add_test(tcase, none);
    tcase_add_test(tcase, version_2);
    tcase_add_test(tcase, version_1);
    tcase_add_test(tcase, broken);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
