// SQL queries on a log. SQLite aggregates, so memory does not grow with the rows.
//
// The texts an operation returned are listed in `args`, and parsing JSON is expensive. Most accesses repeat earlier ones,
// so rows with the same `args` are grouped first and each distinct text is parsed once. An index of the log has them
// side by side; with a filter, which the index does not cover, reading the rows themselves is faster.

import { everyRow } from './usage-filter.ts';
import type { UsageGroup } from './usage-group.ts';

/** Operations that return no text a model would read in place of the whole skill. */
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

/** Same with totals. Binds the tokens of the whole skill first. */
export const totalsQuery = (where: string) => `
SELECT
  count(*) AS total_accesses,
  coalesce(sum(error IS NOT NULL), 0) AS error_count,
  coalesce(sum(tokens), 0) AS tokens_served,
  coalesce(sum(CASE WHEN error IS NULL AND command NOT IN ${notReading} THEN max(0, ? - tokens) END), 0) AS tokens_saved,
  ${period}
FROM access_log WHERE ${where}`;

/** `args` as JSON, even when invalid. */
const json = `CASE WHEN json_valid(args) THEN args ELSE '{}' END`;

const successes = (where: string) =>
  `access_log ${where === everyRow ? '' : 'NOT INDEXED'} WHERE ${where} AND error IS NULL`;

const rowsServed = (where: string) => `FROM ${successes(where)} AND command NOT IN ${withoutSections}`;

/** Continues `WITH served AS (…), `. */
const piecesServed = `
sections AS (
  SELECT args, count, each.value ->> '$.file' AS file, each.value ->> '$.section' AS section
  FROM served, json_each(args, '$.sections') AS each
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
  (SELECT count(*) FROM (SELECT DISTINCT file, section FROM sections)) AS unique_sections,
  (SELECT count(DISTINCT file) FROM files) AS unique_files`;

/** One word or many, as written by the user. */
const searched = `(SELECT group_concat(value, ' ') FROM json_each(args, '$.query'))`;

/** Numbers of a day. Binds the tokens of the whole skill first. */
const ofDay = `substr(timestamp, 1, 10) AS day, ${totals},
  sum(CASE WHEN error IS NULL AND command NOT IN ${notReading} THEN max(0, ? - tokens) ELSE 0 END) AS tokens_saved`;

/**
 * Numbers of each day for one skill, over a range of rows. Binds the tokens of the whole skill, the path of the skill, the id
 * before the range, and its last id.
 */
export const countQuery = `
SELECT skill_path AS path, ${ofDay},
  sum(CASE WHEN command = 'search' AND error IS NULL THEN coalesce((${json}) ->> '$.results' = 0, 0) ELSE 0 END) AS zero_results,
  max(CASE WHEN command <> 'build' THEN timestamp END) AS last_access
FROM access_log WHERE skill_path = ? AND id > ? AND id <= ? GROUP BY day ORDER BY day`;

/** The rows of each group, in order. The one of the days binds the tokens of the whole skill first. */
export const groupQueries: Readonly<Record<Exclude<UsageGroup, 'summary'>, (where: string) => string>> = {
  sections: (where) => `
WITH ${served(where)}
SELECT file, section, sum(count) AS count FROM sections
GROUP BY file, section ORDER BY count DESC, file, section`,

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
SELECT ${ofDay}
FROM access_log WHERE ${where} GROUP BY day ORDER BY day`,
};
