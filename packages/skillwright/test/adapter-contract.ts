// Contract of every adapter: the same conversation gives the model the same texts in each framework.

import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bindTools, type ToolOptions } from '../src/host/adapters/bind-tools.ts';
import { sessionTools } from '../src/host/adapters/session-tools.ts';
import { createSession } from '../src/host/runtime/create-session.ts';
import type { Session, SessionOptions } from '../src/host/runtime/session.ts';
import { isSleeping, uniqueSeconds } from './is-sleeping.ts';
import type { Tree } from './make-directory.ts';
import { makeWorld, skillText } from './make-world.ts';
import { requireProgram } from './required-program.ts';

/** One tool call of the scripted model. */
export interface ScriptedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

/** A conversation: the model makes these calls, one per turn, then answers. */
export interface Script {
  readonly instructions: string;
  readonly task: string;
  readonly calls: readonly ScriptedCall[];
  readonly answer: string;
  /** Aborts the run, as a framework is told. */
  readonly signal?: AbortSignal;
}

/** Texts the model saw, and the outcome. */
export interface Transcript {
  readonly system: string;
  /** The tools of the first request, with the names of their fields. */
  readonly tools: readonly { name: string; description: string; fields: readonly string[] }[];
  /** The results in the last request. */
  readonly results: readonly { id: string; text: string }[];
  readonly answer: string;
}

/** Runs a script in a framework with the tools of its adapter. */
export type Drive = (session: Session, script: Script, options: ToolOptions) => Promise<Transcript>;

const files: Tree = {
  '.agents/skills/repo-review/SKILL.md': skillText('repo-review', 'Read list.md.\n'),
  '.agents/skills/repo-review/list.md': '- risk first\n',
  '.agents/skills/deploy/SKILL.md': skillText('deploy'),
  '~/.agents/skills/deploy/SKILL.md': skillText('deploy'),
  '.agents/skills/secret/SKILL.md': skillText('secret'),
  '~/.skillc/config.toml': '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "secret"\n',
};

const toolFiles: Tree = {
  '.agents/skills/word-count/SKILL.md':
    '---\nname: word-count\ndescription: Counts.\ntoolsets: ["tools:Words"]\n---\n\nCount.\n',
  '.agents/skills/word-count/tools.js': `export const Words = { tools: { count: {
    description: 'Counts words.',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: ({ text }) => ({ words: text.split(' ').length }),
  } } };`,
};
const scriptFiles: Tree = {
  '.agents/skills/waiting/SKILL.md': skillText('waiting'),
  '.agents/skills/waiting/scripts/wait.sh': '#!/bin/sh\nsleep "$1"\n',
};

function openWorld(tree: Tree) {
  const { project: cwd, home } = makeWorld(tree);
  const env = { PATH: process.env.PATH };
  const open = (more: Partial<SessionOptions> = {}) =>
    createSession({ cwd, home, env, trust: true, discovery: { cache: false }, ...more });
  return { cwd, home, open };
}

const number = (calls: readonly (readonly [string, Record<string, unknown>])[]) =>
  calls.map(([tool, input], index) => ({ id: `call-${index + 1}`, tool, input }));

/** The tests of an adapter. `wrongInput` is the framework's message for input that does not fit a schema. */
export function describeAdapter(
  name: string,
  drive: Drive,
  { wrongInput }: { readonly wrongInput: RegExp },
): void {
  describe(`skills through ${name}`, () => {
    const converse = async (
      session: Session,
      calls: readonly ScriptedCall[],
      { ending, ...options }: ToolOptions & { readonly ending?: AbortSignal } = {},
    ) => {
      const instructions = `You are a helpful agent.\n\n${(await session.prompt()).text}`.trim();
      const script = { instructions, task: 'Review this.', calls, answer: 'Reviewed.' };
      const ended = ending === undefined ? script : { ...script, signal: ending };
      return { instructions, transcript: await drive(session, ended, options) };
    };

    test('the model searches, loads, reads and answers', async () => {
      const { open } = openWorld(files);
      const calls = number([
        ['skill_search', { query: 'review', limit: 3, scope: 'repo' }],
        ['skill_load', { name: 'repo-review' }],
        ['skill_read', { name: 'repo-review', file: 'list.md' }],
        ['skill_outline', { name: 'repo-review' }],
        ['skill_section', { name: 'repo-review', section: 'Risks' }],
        ['skill_find_in', { name: 'repo-review', query: 'risk' }],
      ]);
      const { instructions, transcript } = await converse(await open(), calls);
      const twin = await bindTools(await open());
      const texts = await Promise.all(twin.map(({ run }, index) => run(calls[index]!.input)));
      expect(instructions).toContain('<name>repo-review</name>');
      expect(texts[0]).toMatch(/^\{"results":\[\{"name":"repo-review"/);
      expect(texts[1]).toContain('\nRead list.md.\n');
      expect(texts[2]).toBe('- risk first\n');
      expect(transcript).toEqual({
        system: instructions,
        // None of these skills has a quiz, scripts or tools.
        tools: sessionTools
          .filter(({ name }) => !['skill_quiz', 'skill_run', 'skill_tool'].includes(name))
          .map((tool) => ({
            name: tool.name,
            description: tool.description,
            fields: Object.keys(tool.input.shape),
          })),
        results: texts.map((text, index) => ({ id: calls[index]!.id, text })),
        answer: 'Reviewed.',
      });
    });

    test('a refusal is a text for the model, and the run goes on', async () => {
      const { cwd, home, open } = openWorld(files);
      const calls = number([
        ['skill_load', { name: 'secret' }],
        ['skill_load', { name: 'repo-review', path: join(cwd, '.agents/skills/secret/SKILL.md') }],
        ['skill_load', { name: 'deploy' }],
        ['skill_load', { name: 'repo-reviews' }],
        ['skill_load', {}],
        ['skill_read', { name: 'repo-review', file: '../secret/SKILL.md' }],
        ['skill_search', { query: ' ' }],
      ]);
      const { transcript } = await converse(await open(), calls);
      const texts = [
        "error[E060]: denied by permission rule: 'secret'",
        "error[E060]: denied by permission rule: 'secret'",
        `error[E005]: ambiguous skill 'deploy'
  ${cwd}/.agents/skills/deploy/SKILL.md
  ${home}/.agents/skills/deploy/SKILL.md
help: use the path of the one you mean`,
        "error[E001]: skill 'repo-reviews' not found\nhelp: did you mean repo-review?",
        'error[E100]: missing name or path',
        "error[E012]: path escapes skill root: '../secret/SKILL.md'",
        'error[E004]: empty query',
      ];
      expect(transcript.results).toEqual(texts.map((text, index) => ({ id: calls[index]!.id, text })));
      expect(transcript.answer).toBe('Reviewed.');
    });

    test('a skill is sent once; then a reminder takes its place', async () => {
      const { cwd, open } = openWorld(files);
      const load = ['skill_load', { name: 'repo-review' }] as const;
      const { transcript } = await converse(await open(), number([load, load]));
      const dir = `${cwd}/.agents/skills/repo-review`;
      expect(transcript.results.map(({ text }) => text)).toEqual([
        `<skill_context name="repo-review" path="${dir}/SKILL.md">
Read list.md.

Base directory: file://${dir}/
Relative paths in this skill are resolved from this directory.
<skill_files>
<file>${dir}/list.md</file>
</skill_files>
</skill_context>`,
        `<skill_context name="repo-review" path="${dir}/SKILL.md" already_loaded="true">
You already loaded this skill in this conversation, and it has not changed. Use that text.
Base directory: file://${dir}/
</skill_context>`,
      ]);
    });

    test('wrong input does not end the run', async () => {
      const { open } = openWorld(files);
      const calls = number([
        ['skill_search', { query: 'review', limit: 'many' }],
        ['skill_read', { name: 'repo-review', file: 'list.md' }],
      ]);
      const { transcript } = await converse(await open(), calls);
      expect(transcript.results).toEqual([
        { id: 'call-1', text: expect.stringMatching(wrongInput) },
        { id: 'call-2', text: '- risk first\n' },
      ]);
      expect(transcript.answer).toBe('Reviewed.');
    });

    test('only some of the tools', async () => {
      const { open } = openWorld(files);
      const only = ['skill_load', 'skill_quiz'] as const;
      const { transcript } = await converse(await open(), [], { only });
      expect(transcript.tools.map(({ name }) => name)).toEqual(['skill_load']);
      await expect(bindTools(await open(), { only: ['skill_lod' as 'skill_load'] })).rejects.toThrow(
        "only: unknown session tool 'skill_lod'",
      );
    });

    test('one stable tool calls what a load has activated', async (context) => {
      requireProgram(context, 'bwrap');
      const { open } = openWorld(toolFiles);
      const session = await open({ trustsSkill: () => true });
      onTestFinished(() => session.close());
      const calls = number([
        ['skill_tool', { skill: 'word-count', tool: 'count', input: { text: 'a b' } }],
        ['skill_load', { name: 'word-count' }],
        ['skill_tool', { skill: 'word-count', tool: 'count', input: { text: 'a b' } }],
        ['skill_tool', { skill: 'word-count', tool: 'word_count__count', input: { text: 'a' } }],
        ['skill_tool', { skill: 'word-count', tool: 'cuont' }],
        ['skill_load', { name: 'word-count' }],
      ]);
      const { transcript } = await converse(session, calls, { activateOnLoad: true });
      const [early, loaded, counted, whole, wrong, again] = transcript.results.map(({ text }) => text);
      expect(transcript.tools.map((tool) => tool.name)).toEqual([
        'skill_search',
        'skill_load',
        'skill_read',
        'skill_outline',
        'skill_section',
        'skill_find_in',
        'skill_tool',
      ]);
      expect(early).toBe(
        "error[E092]: no active tool: 'word-count: count'\nhelp: activate the skill first; loading it also activates it if the host enabled that",
      );
      expect(loaded!.slice(loaded!.indexOf('<skill_tools'))).toBe(`<skill_tools name="word-count">
Call these tools with skill_tool.
- count: Counts words. Input: {"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}
</skill_tools>`);
      expect([counted, whole, wrong]).toEqual([
        '{"words":2}',
        '{"words":1}',
        "error[E092]: no active tool: 'word-count: cuont'\nhelp: did you mean count?",
      ]);
      expect(again).toContain('already_loaded="true"');
      expect(again).not.toContain('<skill_tools');
    });

    test('a load says why the tools of a skill cannot be used', async () => {
      const { cwd, open } = openWorld(toolFiles);
      const { transcript } = await converse(await open(), number([['skill_load', { name: 'word-count' }]]), {
        activateOnLoad: true,
      });
      const { text } = transcript.results[0]!;
      expect(text).toContain('\nCount.\n');
      expect(text.slice(text.indexOf('<skill_tools'))).toBe(`<skill_tools name="word-count">
The tools of this skill cannot be used.
error[E080]: toolset refused or failed to load: 'tools:Words'
you have not trusted this skill
help: read its code, then trust it with 'skc tools ${cwd}/.agents/skills/word-count --trust'
</skill_tools>`);
    });

    test('a model sees tools of active skills under the names they have', async (context) => {
      requireProgram(context, 'bwrap');
      const { open } = openWorld(toolFiles);
      const session = await open({ trustsSkill: () => true });
      onTestFinished(() => session.close());
      const { tools } = await session.activate({ name: 'word-count' });
      const { name } = tools[0]!;
      const { transcript } = await converse(session, number([[name, { text: 'a b c' }]]));
      expect(transcript.tools.at(-1)).toEqual({ name, description: 'Counts words.', fields: ['text'] });
      expect(transcript.results).toEqual([{ id: 'call-1', text: '{"words":3}' }]);
    });

    test.for(['the run', 'the host'])('an abort of %s ends the script', async (who, context) => {
      requireProgram(context, 'bwrap');
      const { open } = openWorld(scriptFiles);
      const session = await open();
      const seconds = uniqueSeconds();
      const ending = new AbortController();
      const calls = number([['skill_run', { name: 'waiting', script: 'wait.sh', args: [seconds] }]]);
      const options = who === 'the run' ? { ending: ending.signal } : { signal: ending.signal };
      const ended = converse(session, calls, options).catch(() => undefined);
      await expect.poll(() => isSleeping(seconds)).toBe(true);
      ending.abort();
      await ended;
      await expect.poll(() => isSleeping(seconds)).toBe(false);
    });

    test('without skills there are no tools', async () => {
      const { open } = openWorld({});
      const { transcript } = await converse(await open(), []);
      expect(transcript).toEqual({
        system: 'You are a helpful agent.',
        tools: [],
        results: [],
        answer: 'Reviewed.',
      });
    });
  });
}
