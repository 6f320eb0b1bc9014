// What every adapter must do: the same conversation, through each framework, gives the model the same texts.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bindTools, sessionTools } from '../src/host/adapters/session-tools.ts';
import { createSession } from '../src/host/runtime/create-session.ts';
import type { Session } from '../src/host/runtime/session.ts';
import type { Tree } from './make-directory.ts';
import { makeWorld, skillText } from './make-world.ts';

/** One tool call of the scripted model. */
export interface ScriptedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

/** A conversation: the model makes these calls, one a turn, then answers. */
export interface Script {
  readonly instructions: string;
  readonly task: string;
  readonly calls: readonly ScriptedCall[];
  readonly answer: string;
}

/** What the model was given, as it saw it, and what came of it. */
export interface Transcript {
  readonly system: string;
  /** The tools of the first request, with the names of their fields. */
  readonly tools: readonly { name: string; description: string; fields: readonly string[] }[];
  /** The results in the last request. */
  readonly results: readonly { id: string; text: string }[];
  readonly answer: string;
}

/** Has a framework carry a script out with the tools of its adapter. */
export type Drive = (session: Session, script: Script) => Promise<Transcript>;

const files: Tree = {
  '.agents/skills/repo-review/SKILL.md': skillText('repo-review', 'Read list.md.\n'),
  '.agents/skills/repo-review/list.md': '- risk first\n',
  '.agents/skills/deploy/SKILL.md': skillText('deploy'),
  '~/.agents/skills/deploy/SKILL.md': skillText('deploy'),
  '.agents/skills/secret/SKILL.md': skillText('secret'),
  '~/.skillc/config.toml': '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "secret"\n',
};

function openWorld(tree: Tree) {
  const { project: cwd, home } = makeWorld(tree);
  const open = () => createSession({ cwd, home, env: {}, trust: true, discovery: { cache: false } });
  return { cwd, home, open };
}

const number = (calls: readonly (readonly [string, Record<string, unknown>])[]) =>
  calls.map(([tool, input], index) => ({ id: `call-${index + 1}`, tool, input }));

/** The tests of an adapter. `wrongInput` is what the framework tells a model whose input does not fit a schema. */
export function describeAdapter(
  name: string,
  drive: Drive,
  { wrongInput }: { readonly wrongInput: RegExp },
): void {
  describe(`skills through ${name}`, () => {
    const converse = async (session: Session, calls: readonly ScriptedCall[]) => {
      const instructions = `You are a helpful agent.\n\n${(await session.prompt()).text}`.trim();
      const script = { instructions, task: 'Review this.', calls, answer: 'Reviewed.' };
      return { instructions, transcript: await drive(session, script) };
    };

    test('the model searches, loads, reads and answers', async () => {
      const { open } = openWorld(files);
      const calls = number([
        ['skill_search', { query: 'review', limit: 3, scope: 'repo' }],
        ['skill_load', { name: 'repo-review' }],
        ['skill_read', { name: 'repo-review', path: 'list.md' }],
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
        // None of these skills has a quiz, or scripts.
        tools: sessionTools
          .filter(({ name }) => name !== 'skill_quiz' && name !== 'skill_run')
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
        ['skill_read', { name: 'repo-review', path: '../secret/SKILL.md' }],
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
This skill was loaded before in this conversation and has not changed. Use the text given then.
Base directory: file://${dir}/
</skill_context>`,
      ]);
    });

    test('wrong input does not end the run', async () => {
      const { open } = openWorld(files);
      const calls = number([
        ['skill_search', { query: 'review', limit: 'many' }],
        ['skill_read', { name: 'repo-review', path: 'list.md' }],
      ]);
      const { transcript } = await converse(await open(), calls);
      expect(transcript.results).toEqual([
        { id: 'call-1', text: expect.stringMatching(wrongInput) },
        { id: 'call-2', text: '- risk first\n' },
      ]);
      expect(transcript.answer).toBe('Reviewed.');
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
