// SQL queries on a log. SQLite aggregates, so memory does not grow with the rows.
//
// The texts an operation returned are listed in `args`, and parsing JSON is expensive. Most accesses repeat earlier ones,
// so rows with the same `args` are grouped first and each distinct text is parsed once. An index of the log has them
// side by side; with a filter, which the index does not cover, reading the rows themselves is faster.

import { everyRow } from './usage-filter.ts';
import type { UsageGroup } from './usage-group.ts';

/** Operations that return no text of the skill. */
const notReading = `('build', 'quiz', 'run')`;

/** Operations that return neither sections nor files. */
const withoutSections = `('outline', 'sources', 'search', 'build', 'quiz', 'run')`;

const period = `
  min(timestamp) AS first,
  max(timestamp) AS last,
  min(skill_path) AS low_path,
  max(skill_path) AS high_path`;

const totals = `
  count(*) AS count,
  sum(error IS NOT NULL) AS error_count,
  sum(tokens) AS tokens_served`;

/** Times of the first and last row, and whether all belong to one skill. */
export const periodQuery = (where: string) => `
SELECT ${period} FROM access_log WHERE ${where}`;

/** Same with totals. */
export const totalsQuery = (where: string) => `
SELECT
  count(*) AS total_accesses,
  coalesce(sum(error IS NOT NULL), 0) AS error_count,
  coalesce(sum(tokens), 0) AS tokens_served,
  ${period}
FROM access_log WHERE ${where}`;

/** `args` as JSON, even when invalid. */
const json = `CASE WHEN json_valid(args) THEN args ELSE '{}' END`;

const successes = (where: string) =>
  `access_log ${where === everyRow ? '' : 'NOT INDEXED'} WHERE ${where} AND error IS NULL`;

const rowsServed = (where: string) => `FROM ${successes(where)} AND command NOT IN ${withoutSections}`;

/**
 * Continues `WITH served AS (…), `. Rows written before lines were counted have the sections that were asked for, without
 * anchors. What came along follows from the headings: all below an asked section (`inside`), or all of a file, which has
 * no section here. Unless only some of its lines were served.
 */
const piecesServed = `
sections AS (
  SELECT args, count, each.value ->> '$.file' AS file, each.value ->> '$.section' AS section,
    each.value ->> '$.anchor' AS anchor, each.value ->> '$.asked' AS asked, each.value ->> '$.lines' AS lines, 0 AS inside
  FROM served, json_each(args, '$.read') AS each WHERE each.type = 'object'
  UNION ALL
  SELECT args, count, each.value ->> '$.file', each.value ->> '$.section', NULL, 1, 0, args ->> '$.max_lines' IS NULL
  FROM served, json_each(args, '$.sections') AS each
  WHERE each.type = 'object' AND json_type(args, '$.read') IS NULL
),
files AS (
  SELECT args, count, file FROM sections
  UNION SELECT args, count, each.value FROM served, json_each(args, '$.files') AS each
)`;

const served = (where: string) => `
served AS MATERIALIZED (SELECT ${json} AS args, count(*) AS count ${rowsServed(where)} GROUP BY command, args),
${piecesServed}`;

/** Number of distinct sections and files read. */
export const distinctQuery = (where: string) => `
WITH known AS MATERIALIZED (SELECT DISTINCT command, args ${rowsServed(where)}),
served AS (SELECT ${json} AS args, 1 AS count FROM known),
${piecesServed}
SELECT
  (SELECT coalesce(sum(max(1, anchors)), 0) FROM (
    SELECT count(DISTINCT anchor) AS anchors FROM sections GROUP BY file, section)) AS unique_sections,
  (SELECT count(DISTINCT file) FROM files) AS unique_files`;

/** One word or many, as written by the user. */
const searched = `(SELECT group_concat(value, ' ') FROM json_each(args, '$.query'))`;

/** Successful operations that put text of the skill into a context. */
const reading = (where: string) => `${where} AND error IS NULL AND command NOT IN ${notReading}`;

/** Continues `WITH `: the files that each distinct text of `args` opens. */
const opening = (where: string) => `
known AS MATERIALIZED (SELECT DISTINCT args FROM ${successes(where)} AND command NOT IN ${notReading}),
opening AS (
  SELECT DISTINCT known.args, iif(each.type = 'object', each.value ->> '$.file', each.value) AS file
  FROM known, json_each(coalesce((${json}) -> '$.sections', (${json}) -> '$.files', '[]')) AS each
  WHERE each.type IN ('object', 'text')
)`;

/** Files that a skill's sessions opened. */
export const openedQuery = (where: string) => `WITH ${opening(where)} SELECT DISTINCT file FROM opening`;

/**
 * Tokens saved by day, or by hour with 13 characters of a time. A session counts when it begins, with SKILL.md and each file
 * it opened once, minus all that was served to it. Binds the values of the condition, the tokens of other files as JSON, the
 * values twice more, and the tokens of SKILL.md. The rows of a run are near one another, so it groups by run first and
 * reads the rows in their order.
 */
export const savedQuery = (where: string, length: 10 | 13) => `
WITH ${opening(where)},
priced AS MATERIALIZED (
  SELECT args, file, size.value AS price FROM opening, json_each(?) AS size WHERE size.key = file
),
whole AS (
  SELECT run_id, skill_path, sum(price) AS tokens FROM (
    SELECT run_id, skill_path, price FROM access_log NOT INDEXED JOIN priced USING (args)
    WHERE ${reading(where)} GROUP BY run_id, skill_path, file
  ) GROUP BY run_id, skill_path
),
sessions AS (
  SELECT run_id, skill_path, min(substr(timestamp, 1, ${length})) AS part, sum(tokens) AS served
  FROM access_log NOT INDEXED WHERE ${reading(where)} GROUP BY run_id, skill_path
)
SELECT part, sum(? + coalesce(tokens, 0) - served) AS tokens_saved
FROM sessions LEFT JOIN whole USING (run_id, skill_path) GROUP BY part`;

/** Numbers of each hour. */
export const hoursQuery = (where: string) => `
SELECT substr(timestamp, 1, 13) AS hour, ${totals},
  sum(error IS NULL AND command NOT IN ${withoutSections}) AS reads,
  sum(CASE WHEN command = 'search' AND error IS NULL THEN coalesce((${json}) ->> '$.results' = 0, 0) ELSE 0 END) AS zero_results,
  max(CASE WHEN command <> 'build' THEN timestamp END) AS last_access
FROM access_log WHERE ${where} GROUP BY hour ORDER BY hour`;

/** The rows of each group, in order. */
export const groupQueries: Readonly<Record<Exclude<UsageGroup, 'summary'>, (where: string) => string>> = {
  sections: (where) => `
WITH ${served(where)}
SELECT file, section, anchor, inside, sum(count) AS count, sum(iif(asked, count, 0)) AS asked, sum(lines * count) AS lines
FROM sections GROUP BY file, section, anchor, inside
UNION ALL
SELECT each.value, NULL, NULL, 1, sum(count), 0, 0 FROM served, json_each(args, '$.files') AS each
WHERE json_type(args, '$.read') IS NULL AND json_type(args, '$.sections') IS NULL
  AND coalesce(args ->> '$.lines', args ->> '$.max_lines', args ->> '$.offset', args ->> '$.limit') IS NULL
GROUP BY each.value`,

  files: (where) => `
WITH ${served(where)}
SELECT file, sum(count) AS count FROM files GROUP BY file ORDER BY count DESC, file`,

  commands: (where) => `
SELECT command, ${totals}, round(avg(duration_ms), 3) AS duration_ms
FROM access_log WHERE ${where} GROUP BY command ORDER BY count DESC, command`,

  projects: (where) => `
SELECT cwd AS project, ${totals}, max(timestamp) AS last_access
FROM access_log WHERE ${where} GROUP BY cwd ORDER BY count DESC, cwd`,

  errors: (where) => `
WITH failed AS MATERIALIZED (
  SELECT error, command, ${json} AS args, count(*) AS count, max(timestamp) AS last FROM access_log
  WHERE ${where} AND error IS NOT NULL GROUP BY error, command, args
),
asked AS (
  SELECT error, command, count, last,
    coalesce(args ->> '$.section[0]', args ->> '$.path', ${searched}, args ->> '$.dir') AS subject
  FROM failed
)
SELECT error, command, subject, sum(count) AS count, max(last) AS last_access FROM asked
GROUP BY error, command, subject ORDER BY count DESC, error, command, subject`,

  search: (where) => `
WITH done AS MATERIALIZED (
  SELECT ${json} AS args, count(*) AS count, max(timestamp) AS last FROM access_log
  WHERE ${where} AND error IS NULL AND command = 'search' GROUP BY args
),
asked AS (SELECT coalesce(${searched}, '') AS query, args ->> '$.results' AS results, count, last FROM done)
SELECT query, sum(count) AS count, sum(iif(results = 0, count, 0)) AS zero_results, max(last) AS last_access
FROM asked GROUP BY query ORDER BY count DESC, query`,

  quiz: (where) => `
WITH done AS MATERIALIZED (
  SELECT ${json} AS args, count(*) AS count FROM access_log
  WHERE ${where} AND error IS NULL AND command = 'quiz' GROUP BY args
),
answered AS (
  SELECT each.value ->> '$.question' AS question, sum(count) AS asked,
    sum(iif(each.value ->> '$.right', 0, count)) AS failed
  FROM done, json_each(args, '$.answers') AS each GROUP BY question
),
finished AS (
  SELECT part.value AS question, sum(count) AS attempts, sum(iif(each.value ->> '$.passed', count, 0)) AS passes
  FROM done, json_each(args, '$.attempts') AS each, json_each(each.value, '$.questions') AS part GROUP BY part.value
)
SELECT answered.question, NULL AS text, asked, failed, round(100.0 * failed / asked, 1) AS rate,
  coalesce(attempts, 0) AS attempts, coalesce(passes, 0) AS passes
FROM answered LEFT JOIN finished ON finished.question = answered.question
WHERE typeof(answered.question) = 'integer' ORDER BY rate DESC, answered.question`,

  run: (where) => `
SELECT run_id, ${totals}, min(timestamp) AS first_access, max(timestamp) AS last_access
FROM access_log WHERE ${where} GROUP BY run_id ORDER BY last_access DESC, run_id`,

  days: (where) => `
SELECT substr(timestamp, 1, 10) AS day, ${totals}, 0 AS tokens_saved
FROM access_log WHERE ${where} GROUP BY day ORDER BY day`,
};
