/* asm: the ids of src/spec/text_rules.def that reading and writing a text report, and how many errors they report. */
#ifndef PTOG_ASM_TEXT_IDS_H
#define PTOG_ASM_TEXT_IDS_H

#include "diag/list.h"

#define PTOG_ID_SYNTAX "text-syntax"             /* one thing was found, another expected */
#define PTOG_ID_BYTE "text-byte"                 /* a byte that starts nothing: NUL, half of a character, ... */
#define PTOG_ID_NOT_CLOSED "text-not-closed"     /* a string or bracket without its end */
#define PTOG_ID_NUMBER "text-number"             /* a number that does not fit */
#define PTOG_ID_NESTING "text-nesting"           /* brackets inside brackets inside ... */
#define PTOG_ID_DUPLICATE "text-duplicate"       /* a key given twice */
#define PTOG_ID_UNKNOWN_WORD "text-unknown-word" /* a word where only certain words have a meaning */
#define PTOG_ID_TYPE "text-type"                 /* a type with the wrong parts */
#define PTOG_ID_FORM "text-form"                 /* the wanted form cannot say this */

#define PTOG_MAX_ERRORS 20

#endif
