import { expect, test } from 'vitest';
import { makeDirectory, type Tree } from '../../../test/make-directory.ts';
import { closedGateOf, findClosedGate } from './closed-gate.ts';
import { digestSkill } from './digest-skill.ts';
import { createQuizMemory } from './quiz-memory.ts';

const question = (name: string, more = '') =>
  `    - question: ${name}?\n      options: [{ label: a, correct: true }, { label: b }]\n${more}`;
const text = (quiz: string, body = '# Top\n\n## In\n\n### Under\n\n## Out\n') =>
  `---\nname: demo\ndescription: D.\nquiz:\n${quiz}---\n${body}`;
const gate = `  gate: true\n  questions:\n${question('One', '      on-correct: { goto: Out, load-reference: b.md }\n      on-incorrect: { goto: "## In", load-reference: a.md }\n')}`;
const files: Tree = { 'SKILL.md': text(gate), 'a.md': '# A\n', 'b.md': '# B\n', 'link.md': { link: 'a.md' } };

const standing = { attempts: 1, score: 0, answers: {} };
const remember = (dir: string, ...quizzes: { passed: boolean; known: number[] }[]) => {
  const memory = createQuizMemory('s');
  memory.update(digestSkill(dir), () => ({ quizzes: quizzes.map((quiz) => ({ ...standing, ...quiz })) }));
  return memory;
};

test('targets of wrong answers can be read at any time, targets of right answers once given', () => {
  const dir = makeDirectory(files);
  const lines = text(gate).split('\n');
  const look = (memory?: ReturnType<typeof createQuizMemory>) => {
    const closed = closedGateOf(dir, memory)!;
    const headings = ['---', '# Top', '## In', '### Under', '## Out'];
    const paths = ['a.md', './a.md', 'link.md', 'b.md', 'SKILL.md', 'none.md', '../a.md', '', 'a.md\0'];
    return {
      headings: headings.filter((heading) =>
        closed.allowsSection({ file: 'SKILL.md', start_line: lines.indexOf(heading) + 1 }),
      ),
      paths: paths.filter(closed.allowsFile),
      readable: closed.readable,
    };
  };
  expect(look()).toEqual({
    headings: ['## In', '### Under'],
    paths: ['a.md', './a.md', 'link.md'],
    readable: { sections: ['In'], files: ['a.md'] },
  });
  expect(look(remember(dir, { passed: false, known: [0] }))).toEqual({
    headings: ['## In', '### Under', '## Out'],
    paths: ['a.md', './a.md', 'link.md', 'b.md'],
    readable: { sections: ['In', 'Out'], files: ['a.md', 'b.md'] },
  });
});

test.each<[string, string, ('closed' | 'open')[]]>([
  ['one gate', gate, ['closed', 'open']],
  ['no gate', gate.replace('true', 'false').replace('gate: false', 'gate: no'), ['open', 'open']],
])('%s', (_, quiz, expected) => {
  const dir = makeDirectory({ ...files, 'SKILL.md': text(quiz) });
  const memories = [undefined, remember(dir, { passed: true, known: [0] })];
  expect(memories.map((memory) => (closedGateOf(dir, memory) === undefined ? 'open' : 'closed'))).toEqual(
    expected,
  );
});

test('several gates must all be passed', () => {
  const block = `  - gate: true\n    questions:\n${question('One').replaceAll(/^/gm, '  ').trimEnd()}\n`;
  const dir = makeDirectory({
    'SKILL.md': text(
      block + block.replace('One', 'Two') + block.replace('One', 'Three').replace('true\n', 'false\n'),
    ),
  });
  const [yes, no] = [true, false].map((passed) => ({ passed, known: [] })) as [never, never];
  const isClosed = (...quizzes: never[]) => closedGateOf(dir, remember(dir, ...quizzes)) !== undefined;
  expect([isClosed(yes, no, yes), isClosed(no, yes, yes), isClosed(yes, yes, no)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('the error says how to unlock the skill, and what can be read before', () => {
  const closed = closedGateOf(makeDirectory(files), undefined)!;
  expect(closed.refusal('./my skill')).toMatchObject({
    code: 'E062',
    message: "quiz gate not passed: './my skill'",
    help: "take the quiz first: skc quiz './my skill'",
    data: { skill: 'demo', readable: { sections: ['In'], files: ['a.md'] } },
  });
});

test.each<[string, string]>([
  ['a quiz without questions', text('  gate: true\n')],
  ['an unreadable flag', text(gate.replace('true', 'perhaps'))],
  ['no correct option', text(gate.replace(', correct: true', ''))],
  ['no YAML', text(`${gate}  - [\n`)],
  ['never closed', `---\nname: demo\nquiz:\n${gate}`],
])('%s stays closed for good', async (_, manifest) => {
  const dir = makeDirectory({ ...files, 'SKILL.md': manifest });
  const closed = await findClosedGate(dir, () => remember(dir, { passed: true, known: [0] }));
  expect(closed?.takable).toBe(false);
  expect(closed?.refusal().help).toContain('cannot be passed');
  expect(closed?.readable).toEqual({ sections: [], files: [] });
});

test('the session memory is only read for skills with a gate', async () => {
  const dir = makeDirectory({ 'SKILL.md': '---\nname: demo\n---\nA quiz: gate: true\n' });
  const never = () => {
    throw new Error('asked');
  };
  expect(await findClosedGate(dir, never)).toBeUndefined();
});

test.each(['\ufeff', '\r\n'])('a gate is a gate with %j', (odd) => {
  const manifest = odd === '\r\n' ? text(gate).replaceAll('\n', odd) : odd + text(gate);
  const closed = closedGateOf(makeDirectory({ ...files, 'SKILL.md': manifest }), undefined);
  expect(closed?.readable).toEqual({ sections: ['In'], files: ['a.md'] });
});
