import { expect, test } from 'vitest';
import { fakePicker, fakeSkill } from '../../../test/picker-fixture.ts';
import { plainPaint } from '../../base/diagnostics/render-text.ts';
import { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { type PickerTools, runPicker, type TerminalListener } from './run-picker.ts';

const skills = [fakeSkill('alpha'), fakeSkill('beta')];

/** A picker on a terminal that only remembers. */
function start(tools: Partial<PickerTools> = {}) {
  const written: string[] = [];
  let listener: TerminalListener | undefined;
  let closed = 0;
  const picked = runPicker(
    fakePicker(skills),
    {
      size: () => ({ columns: 60, rows: 12 }),
      write: (text) => written.push(text),
      listen: (wanted) => {
        listener = wanted;
      },
      close: () => {
        closed++;
      },
    },
    {
      paint: plainPaint,
      switchSkill: (_, enabled) => ({ enabled, notice: { text: 'done', isError: false } }),
      outlineOf: ({ path }) => ({ path, headings: [] }),
      ...tools,
    },
  );
  return {
    picked,
    written,
    type: (text: string) => listener!.input(Buffer.from(text)),
    listener: listener!,
    closed: () => closed,
  };
}

test('one write for each frame, and none for nothing', async () => {
  const picker = start();
  expect(picker.written.length).toBe(1);
  picker.type('b');
  expect(picker.written.length).toBe(2);
  expect(picker.written[1]).toContain('beta');
  picker.type('\u0000');
  expect(picker.written.length).toBe(2);
  picker.type('\u001b[B\u001b[A\u001b[B\r');
  expect([await picker.picked, picker.closed()]).toEqual(['$beta', 1]);
  expect(picker.written.length).toBe(2);
});

test('what follows the end is not looked at', async () => {
  const asked: string[] = [];
  const picker = start({
    switchSkill: (name, enabled) => {
      asked.push(name);
      return { enabled, notice: { text: '', isError: false } };
    },
  });
  picker.type('\r\u0014');
  picker.type('\u0014');
  expect([await picker.picked, asked]).toEqual(['$alpha', []]);
});

test('the Escape key alone leaves', async () => {
  const picker = start();
  picker.type('\u001b');
  expect([await picker.picked, picker.closed()]).toEqual(['', 1]);
});

test('a resized and a lost screen are drawn whole', async () => {
  const picker = start();
  picker.listener.resized();
  picker.listener.lost();
  expect(picker.written.map((text) => text.includes('\u001b[2J'))).toEqual([true, true, true]);
  picker.type('\u0003');
  await picker.picked;
});

test('a switch that fails is told, and the list goes on', async () => {
  const picker = start({
    switchSkill: () => {
      throw SkillwrightError.of('E016', { path: 'state.json', why: 'the disk is full' });
    },
  });
  picker.type(' ');
  expect(picker.written.at(-1)).toContain("cannot write 'state.json': the disk is full");
  picker.type('\r');
  expect(await picker.picked).toBe('$alpha');
});

test('a bug gives the terminal back before it is told', async () => {
  const picker = start({
    switchSkill: () => {
      throw new TypeError('a bug');
    },
  });
  picker.type(' ');
  await expect(picker.picked).rejects.toThrow('a bug');
  expect(picker.closed()).toBe(1);
});

test('a terminal that goes away ends it', async () => {
  const picker = start();
  picker.listener.gone();
  expect([await picker.picked, picker.closed()]).toEqual(['', 1]);
});
