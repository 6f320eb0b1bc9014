// Arguments that try to become code in the commands of a skill's text, in a real shell in the real sandbox.

import { beforeEach, describe, expect, test } from 'vitest';
import { limitsOf } from '../src/guard/execute/limits.ts';
import { openSandbox } from '../src/guard/execute/open-sandbox.ts';
import { runDynamicIn } from '../src/guard/execute/run-script.ts';
import { createSession } from '../src/host/runtime/create-session.ts';
import { defaultConfig } from '../src/skill/config/default-config.ts';
import { makeWorld } from './make-world.ts';
import { requireProgram } from './required-program.ts';

beforeEach((context) => requireProgram(context, 'bwrap'));

const env = { PATH: process.env.PATH ?? '' };

/** The text of a plan for a skill with this body, and the codes of its diagnostics. */
async function plan(body: string, args: readonly string[], fields = '') {
  const world = makeWorld({
    '.agents/skills/demo/SKILL.md': `---\nname: demo\ndescription: x\narguments: [topic]\n${fields}---\n\n${body}\n`,
  });
  const { home } = world;
  const runDynamic = runDynamicIn(await openSandbox({ env }), { home, env, limits: limitsOf(defaultConfig) });
  const session = await createSession({
    cwd: world.project,
    home,
    env,
    trust: true,
    runDynamic,
    sessionId: '$(echo HACKED)',
  });
  const made = await session.plan({ name: 'demo' }, args);
  return { body: made.body, codes: made.diagnostics.map(({ code }) => code) };
}

/** None of them may be executed; each prints this word when it is. */
const attacks = [
  '$(echo HACKED)',
  '`echo HACKED`',
  '"; echo HACKED; "',
  "'; echo HACKED; '",
  '\necho HACKED\n',
  ')); echo HACKED; ((',
  'EOF\necho HACKED',
  '$((a[$(echo HACKED >&2)]))',
];

const places = [
  ['double quotes', '!`echo "$0"`'],
  ['no quotes', '!`echo $0`'],
  ['single quotes', "!`echo '$0'`"],
  ['quotes in quotes', `!\`echo "'$0'"\``],
  ['all arguments', '!`echo $ARGUMENTS`'],
  ['all arguments in quotes', '!`echo "$ARGUMENTS"`'],
  ['one of them', '!`echo "$ARGUMENTS[0]"`'],
  ['a name', '!`echo "$topic"`'],
  ['a name without quotes', '!`echo $topic`'],
  ['a substitution', '!`echo "$(echo "$0")"`'],
  ['backticks', '```!\necho "`echo \\"$0\\"`"\n```'],
  ['a here-document', '```!\ncat <<EOF\n$0\nEOF\n```'],
  ['a here-document as it is', "```!\ncat <<'EOF'\n$0\nEOF\n```"],
  ['a comment', '```!\n# $0\necho done\n```'],
  ['a fence', '```!\nx="$0"\necho "$x"\n```'],
  ['an assignment', '!`x=$0; echo "$x"`'],
  ['a pattern', '!`case "$0" in a) echo a;; esac`'],
  ['a function', '!`f() { echo "$0"; }; f`'],
] as const;

describe.each(places)('in %s', (_, body) => {
  test.each(attacks)('%j is data', async (attack) => {
    const { body: text } = await plan(body, [attack]);
    // The output may show the words of the attack, never their effect.
    const shown = text.split('\n\nARGUMENTS: ')[0]!;
    expect(shown.replaceAll(/echo HACKED/g, '')).not.toContain('HACKED');
  });
});

describe('where a shell reads a value once more', () => {
  const evaluating = [
    ['arithmetic', '!`echo $(( $0 + 1 ))`'],
    ['an expression', '!`[[ "$0" -eq 1 ]] && echo one`'],
    ['a name of a variable', '!`test -v "$0"; echo tested`'],
    ['another shell', '!`sh -c "echo $0"`'],
    ['eval', '!`eval "echo $0"`'],
    ['a program', '!`echo a | awk "/$0/"`'],
  ] as const;
  test.each(evaluating)('%s gets no code', async (_, body) => {
    for (const attack of ['a[$(echo HACKED >&2)]', 'x[`echo HACKED`]', '$(echo HACKED)[']) {
      const { body: text, codes } = await plan(body, [attack]);
      expect([text.split('\n\nARGUMENTS: ')[0], codes]).toEqual([body, ['W005']]);
    }
  });

  test('plain words are fine', async () => {
    expect(await plan('!`echo $(( $0 + 1 ))` !`[[ "$0" -eq 41 ]] && echo one`', ['41'])).toEqual({
      body: '42 one',
      codes: [],
    });
  });
});

test('values of variables are data too', async () => {
  const body = '!`echo "$VAR"` !`echo $VAR`'.replaceAll('VAR', '{CLAUDE_SESSION_ID}');
  expect((await plan(body, [])).body).toBe('$(echo HACKED) $(echo HACKED)');
});

test('words arrive as they are, one by one', async () => {
  const args = ['a  b', "it's", '*', '$HOME', '\\n'];
  expect(await plan('!`printf "[%s]" $ARGUMENTS; printf "(%s)" $0 "$1" x$2.`', args)).toEqual({
    body: "[a  b][it's][*][$HOME][\\n](a  b)(it's)(x*.)",
    codes: [],
  });
});

test('a placeholder in single quotes stays, with a warning', async () => {
  expect(await plan("!`echo '$0' '$topic'`", ['a'])).toEqual({
    body: '$0 $topic\n\nARGUMENTS: a',
    codes: ['W071', 'W071'],
  });
  // The program decides what it means; a missing argument is not a placeholder.
  expect(await plan("!`echo a b | awk '{print $2}'`", ['x'])).toEqual({
    body: 'b\n\nARGUMENTS: x',
    codes: [],
  });
});

test('the parameters of a shell are not the arguments', async () => {
  expect(await plan('!`f() { echo "[\\$1]"; }; f own`', ['a', 'b'])).toEqual({
    body: '[own]\n\nARGUMENTS: a b',
    codes: [],
  });
});
