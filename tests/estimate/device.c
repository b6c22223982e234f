/* Devices: files, configurations, occupancy. */
#include "estimate/device.h"
#include "tests/suite.h"

static void check_fails(const char *text, const char *message)
{
    struct estimate_device device;
    struct error err = {0};
    ck_assert_int_eq(estimate_device_parse(&device, "a.device", text, strlen(text), &err), -1);
    ck_assert_msg(strstr(err.text, message) != NULL, "%s", err.text);
}

START_TEST(bundled_devices_are_complete)
{
    struct estimate_device device;
    struct error err = {0};
    for (const struct sim_bundled_config *b = estimate_bundled_devices; b->name != NULL; b++) {
        ck_assert_msg(estimate_device_open(&device, b->name, &err) == 0, "%s", err.text);
        ck_assert_str_eq(device.name, b->name);
        ck_assert_double_eq(device.lambda_kernel, 0.703787);
    }
}
END_TEST

START_TEST(what_is_no_device)
{
    struct estimate_device device;
    struct error err = {0};
    check_fails("sms 13 # and no more\n", "a.device: sm_clock is missing");
    check_fails("\nsms\n", "a.device:2: expected the name of a parameter and its value");
    check_fails("sms 1 2\n", "a.device:1: expected the name");
    check_fails("sm 13\n", "a.device:1: \"sm\" is not a parameter");
    check_fails("sms -1\n", "a.device:1: sms: expected a number from 1 to 65536; got \"-1\"");
    ck_assert_int_eq(estimate_device_open(&device, "no-such-device", &err), -1);
    ck_assert(strstr(err.text, "neither a bundled device nor a file") != NULL);
}
END_TEST

/* A line without a comment must not be searched beyond its end, nor one that does not fit. */
START_TEST(lines_of_any_length)
{
    char text[600];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    check_fails(text, "a.device:1: the line is too long");
    text[20] = '\n';
    check_fails(text, "a.device:1: expected the name of a parameter and its value");
    text[0] = '#';
    check_fails(text, "a.device:2: the line is too long");
}
END_TEST

/* As NVIDIA's calculator: registers are given to warps in multiples of 256. */
START_TEST(occupancy_by_the_calculator)
{
    struct estimate_device device;
    struct error err = {0};
    ck_assert_int_eq(estimate_device_open(&device, "gtx970", &err), 0);
    ck_assert_uint_eq(estimate_device_blocks(&device, 256, 8, 0), 8);     /* threads */
    ck_assert_uint_eq(estimate_device_blocks(&device, 32, 8, 0), 32);     /* blocks */
    ck_assert_uint_eq(estimate_device_blocks(&device, 256, 33, 0), 6);    /* 1280 a warp */
    ck_assert_uint_eq(estimate_device_blocks(&device, 96, 255, 0), 2);    /* 8 warps of 8192 */
    ck_assert_uint_eq(estimate_device_blocks(&device, 64, 8, 49152), 2);  /* shared memory */
    ck_assert_uint_eq(estimate_device_blocks(&device, 64, 8, 100000), 0); /* too much of it */
}
END_TEST

START_TEST(device_of_a_card)
{
    struct estimate_device device;
    struct error err = {0};
    const char *name = "h100";
    struct sim_config *config = sim_config_create(&name, 1, NULL, 0, NULL, NULL, &err);
    ck_assert_ptr_nonnull(config);
    estimate_device_of_config(&device, config, name);
    sim_config_destroy(config);
    ck_assert_double_eq(device.sms, 132);
    ck_assert_double_eq(device.schedulers, 4);
    ck_assert_double_eq(device.cuda_cores, 128);
    ck_assert_double_eq(device.lanes_fp64, 64);
    ck_assert_double_eq(device.lanes_sfu, 16);
    ck_assert_double_eq_tol(device.latency_l2, 277, 1); /* a chase of the calibration */
    ck_assert_double_eq_tol(device.latency_global, 697, 70);
    ck_assert_double_eq(device.l2_size, 50 * 1048576.0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {bundled_devices_are_complete, what_is_no_device,
                                  lines_of_any_length, occupancy_by_the_calculator,
                                  device_of_a_card};
    return RUN_TESTS("device", tests);
}
