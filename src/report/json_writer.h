/* report: JSON, one value after another; commas and escapes are the writer's business. */
#ifndef PTOG_REPORT_JSON_WRITER_H
#define PTOG_REPORT_JSON_WRITER_H

#include <ptog/report.h>

struct ptog_json {
    const struct ptog_sink *sink;
    bool comma; /* before the next value */
};

/* '{' or '[' and what closes it. */
void ptog_json_open(struct ptog_json *json, char bracket);
void ptog_json_close(struct ptog_json *json, char bracket);

/* The key of the next value. */
void ptog_json_key(struct ptog_json *json, const char *key);

/* Bytes that are not UTF-8 become U+FFFD. NULL is null. */
void ptog_json_string(struct ptog_json *json, const char *text);
void ptog_json_string_n(struct ptog_json *json, const char *text, size_t length);
void ptog_json_number(struct ptog_json *json, uint64_t number);

/* The next value starts a line: for people who look at it. */
void ptog_json_newline(struct ptog_json *json);

/* Key and value at once. */
void ptog_json_string_of(struct ptog_json *json, const char *key, const char *text);
void ptog_json_number_of(struct ptog_json *json, const char *key, uint64_t number);
void ptog_json_bool_of(struct ptog_json *json, const char *key, bool value);

/* Key and a number of thousandths, as a decimal fraction. */
void ptog_json_thousandths_of(struct ptog_json *json, const char *key, uint64_t thousandths);

/* Key and a file name as a URI reference. */
void ptog_json_uri_of(struct ptog_json *json, const char *key, const char *file);

/* The figures of a run on the machine, with the sources of the costs that the target has. */
struct ptog_stats;
struct ptog_target;
void ptog_json_stats(struct ptog_json *json, const struct ptog_target *target, const struct ptog_stats *stats);

#endif
