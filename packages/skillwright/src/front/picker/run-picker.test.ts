import { expect, test } from 'vitest';
import { fakePicker, fakeSkill, fakeStanding } from '../../../test/picker-fixture.ts';
import { plainPaint } from '../../base/diagnostics/render-text.ts';
import { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { type PickerTools, runPicker, type TerminalListener } from './run-picker.ts';

const skills = [fakeSkill('alpha'), fakeSkill('beta')];
const picked = (at: number) => ({ kind: 'picked', skill: skills[at], as: 'mention' });

/** A picker on a terminal that only records. */
function start(tools: Partial<PickerTools> = {}, canSuspend = true) {
  const written: string[] = [];
  let listener: TerminalListener | undefined;
  let closed = 0;
  const running = runPicker(
    fakePicker(skills),
    {
      size: () => ({ columns: 60, rows: 12 }),
      write: (text) => written.push(text),
      listen: (wanted) => {
        listener = wanted;
      },
      suspend: () => canSuspend,
      close: () => {
        closed++;
      },
    },
    {
      paint: plainPaint,
      switchSkill: ({ skill }) => ({
        standing: fakeStanding([skill]),
        notice: { text: 'done', isError: false },
      }),
      outlineOf: ({ path }) => ({ path, headings: [] }),
      ...tools,
    },
  );
  return {
    picked: running,
    written,
    type: (text: string) => listener!.input(Buffer.from(text)),
    listener: listener!,
    closed: () => closed,
  };
}

test('one write per frame, and none without a change', async () => {
  const picker = start();
  expect(picker.written.length).toBe(1);
  picker.type('b');
  expect(picker.written.length).toBe(2);
  expect(picker.written[1]).toContain('beta');
  picker.type('\u0000');
  expect(picker.written.length).toBe(2);
  picker.type('\u001b[B\u001b[A\u001b[B\r');
  expect([await picker.picked, picker.closed()]).toEqual([picked(1), 1]);
  expect(picker.written.length).toBe(2);
});

test('input after the end is ignored', async () => {
  const asked: string[] = [];
  const picker = start({
    switchSkill: ({ skill }) => {
      asked.push(skill.name);
      return { standing: fakeStanding([]), notice: { text: '', isError: false } };
    },
  });
  picker.type('\r\u0014');
  picker.type('\u0014');
  expect([await picker.picked, asked]).toEqual([picked(0), []]);
});

test('the Escape key alone leaves', async () => {
  const picker = start();
  picker.type('\u001b');
  expect([await picker.picked, picker.closed()]).toEqual([{ kind: 'left' }, 1]);
});

test('a resized or lost screen is redrawn completely', async () => {
  const picker = start();
  picker.listener.resized();
  picker.listener.lost();
  expect(picker.written.map((text) => text.includes('\u001b[2J'))).toEqual([true, true, true]);
  picker.type('\u0003');
  await picker.picked;
});

test('a failed switch is reported, and the list stays open', async () => {
  const picker = start({
    switchSkill: () => {
      throw SkillwrightError.of('E016', { path: 'state.json', why: 'the disk is full' });
    },
  });
  picker.type(' ');
  expect(picker.written.at(-1)).toContain("cannot write 'state.json': the disk is full");
  picker.type('\r');
  expect(await picker.picked).toEqual(picked(0));
});

test('a bug restores the terminal before it is reported', async () => {
  const picker = start({
    switchSkill: () => {
      throw new TypeError('a bug');
    },
  });
  picker.type(' ');
  await expect(picker.picked).rejects.toThrow('a bug');
  expect(picker.closed()).toBe(1);
});

test('a terminal that disappears ends it', async () => {
  const picker = start();
  picker.listener.gone();
  expect([await picker.picked, picker.closed()]).toEqual([{ kind: 'left' }, 1]);
});

test('a switch is drawn', async () => {
  const picker = start();
  picker.type(' ');
  expect(picker.written.at(-1)).toMatch(/\[ \].*alpha[\s\S]*done/);
  picker.type('\u0003');
  await picker.picked;
});

test('Ctrl-Z reports if it cannot suspend', async () => {
  const picker = start({}, false);
  picker.type('\u001a');
  expect(picker.written.at(-1)).toContain('cannot suspend here');
  picker.type('\u0003');
  await picker.picked;
});
