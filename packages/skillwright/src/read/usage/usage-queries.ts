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

const totals = `
  count(*) AS count,
  count(error) AS error_count,
  sum(tokens) AS tokens_served`;

/** Times of the first and last row, and the directory of the skill, if all have one. */
export const periodQuery = (where: string) => `
SELECT min(timestamp) AS first, max(timestamp) AS last,
  iif(min(skill_path) = max(skill_path), skill_path, NULL) AS path
FROM access_log WHERE ${where}`;

/** `args` as JSON, even when invalid. */
const json = `CASE WHEN json_valid(args) THEN args ELSE '{}' END`;

const rowsServed = (where: string) => `FROM access_log ${where === everyRow ? '' : 'NOT INDEXED'}
  WHERE ${where} AND error IS NULL AND command NOT IN ${withoutSections}`;

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

/** Numbers the distinct texts of `args` that list what was served. */
export const numberTexts = `
CREATE TEMP TABLE text (number INTEGER PRIMARY KEY, command TEXT, args TEXT);
INSERT INTO text (command, args)
  SELECT DISTINCT command, args ${rowsServed(everyRow)};
CREATE TEMP TABLE row_text (id INTEGER PRIMARY KEY, number INTEGER)`;

/** Notes the rows with texts of these numbers, a JSON list: joining rows with numbers is faster than with texts. */
export const noteRows = `
INSERT OR IGNORE INTO row_text SELECT access_log.id, number FROM json_each(?) JOIN text ON number = value
CROSS JOIN access_log INDEXED BY access_log_served USING (command, args) WHERE error IS NULL ORDER BY access_log.id`;

/** Number of distinct sections and files read. */
export const distinctQuery = (where: string) => `
WITH known AS MATERIALIZED (SELECT DISTINCT command, args ${where === everyRow ? 'FROM text' : rowsServed(where)}),
served AS (SELECT ${json} AS args, 1 AS count FROM known),
${piecesServed}
SELECT
  (SELECT coalesce(sum(max(1, anchors)), 0) FROM (
    SELECT count(DISTINCT anchor) AS anchors FROM sections GROUP BY file, section)) AS unique_sections,
  (SELECT count(DISTINCT file) FROM files) AS unique_files`;

/** The files that each numbered text opens. */
export const openedQuery = `
SELECT DISTINCT number, iif(each.type = 'object', each.value ->> '$.file', each.value) AS file
FROM text, json_each(coalesce((${json}) -> '$.sections', (${json}) -> '$.files', '[]')) AS each
WHERE each.type IN ('object', 'text') AND file IS NOT NULL`;

/** One word or many, as written by the user. */
const searched = `(SELECT group_concat(value, ' ') FROM json_each(args, '$.query'))`;

/** Rows read in one step. Sorting so few stays in the processor's caches; sorting a million goes to the disk. */
const STEP = 4096;

/** What `readHours` adds. */
const ofHours = `,
  sum(error IS NULL AND command NOT IN ${withoutSections}) AS reads,
  sum(CASE WHEN command = 'search' AND error IS NULL THEN coalesce((${json}) ->> '$.results' = 0, 0) ELSE 0 END) AS zero_results,
  max(CASE WHEN command <> 'build' THEN timestamp END) AS last_access`;

/**
 * The next rows after an id, added up by session and by day, or by hour with 13 characters of a time. Binds the id and the
 * values of the condition. `served` has the tokens of operations that put text of the skill into a context, if any did.
 */
export const stepQuery = (where: string, length: 10 | 13) => `
SELECT max(id) AS id, run_id, skill_path, substr(timestamp, 1, ${length}) AS part,
  min(timestamp) AS first, max(timestamp) AS last, ${totals},
  sum(CASE WHEN error IS NULL AND command NOT IN ${notReading} THEN tokens END) AS served,
  group_concat(number) AS texts${length === 13 ? ofHours : ''}
FROM (
  SELECT access_log.*, number FROM access_log NOT INDEXED LEFT JOIN row_text USING (id)
  WHERE id > ? AND ${where} ORDER BY id LIMIT ${STEP}
)
GROUP BY run_id, skill_path, part`;

/** The rows of each group, in order. */
export const groupQueries: Readonly<
  Record<Exclude<UsageGroup, 'summary' | 'days'>, (where: string) => string>
> = {
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
};
