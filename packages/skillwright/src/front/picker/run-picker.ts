// Runs the picker on a terminal: input to state, state to screen, and effects.

import { type Paint, SkillwrightError } from '../../base/diagnostics/index.ts';
import { drawFrame, type Frame } from './picker-frame.ts';
import type { Size } from './picker-layout.ts';
import {
  type Notice,
  type Outline,
  type Picked,
  type PickerEffect,
  type PickerEvent,
  type PickerState,
  type Standing,
  type SwitchWish,
  selectedSkill,
} from './picker-state.ts';
import { createKeyReader } from './read-keys.ts';
import { reducePicker } from './reduce-picker.ts';
import { renderPicker } from './render-picker.ts';

/** Events of a terminal. */
export interface TerminalListener {
  input(bytes: Uint8Array): void;
  resized(): void;
  /** The screen was lost and must be redrawn completely. */
  lost(): void;
  /** The terminal or the process is about to close. */
  gone(): void;
}

/** A terminal under the picker's control: keys arrive as typed, and the screen is its own. */
export interface PickerTerminal {
  size(): Size;
  write(text: string): void;
  listen(listener: TerminalListener): void;
  /** Returns the terminal to the shell until the job continues; false if that is not possible. */
  suspend(): boolean;
  /** Restores the terminal. */
  close(): void;
}

/** Dependencies of the picker besides a terminal. */
export interface PickerTools {
  readonly paint: Paint;
  /** Switches a skill and returns the message to show. */
  switchSkill(wish: SwitchWish): { standing: Standing; notice: Notice };
  outlineOf(skill: { readonly path: string; readonly dir: string }): Outline;
}

/** Longer than a terminal needs to send the rest of a sequence, shorter than a person notices. */
const ESCAPE_WAIT_MS = 40;
/** The outline loads once the cursor rests. */
const OUTLINE_WAIT_MS = 30;

/** Runs until the user chooses or leaves; returns the choice. Always closes the terminal. */
export async function runPicker(
  start: PickerState,
  terminal: PickerTerminal,
  tools: PickerTools,
): Promise<Picked> {
  const { promise, resolve, reject } = Promise.withResolvers<Picked>();
  const timers = new Map<'escape' | 'outline', NodeJS.Timeout>();
  const keys = createKeyReader();
  let state = start;
  let frame: Frame | undefined;
  let isOver = false;

  const apply = (event: PickerEvent): void => {
    if (isOver) return;
    const step = reducePicker(state, event);
    state = step.state;
    if (step.effect !== undefined) perform(step.effect);
  };

  const perform = (effect: PickerEffect): void => {
    switch (effect.kind) {
      case 'leave':
        isOver = true;
        resolve(effect.picked);
        return;
      case 'suspend':
        if (!terminal.suspend()) apply({ kind: 'failed', text: 'cannot suspend here' });
        return;
      case 'switch':
        try {
          apply({ kind: 'switched', ...tools.switchSkill(effect) });
        } catch (error) {
          // A file that cannot be written is reported, and the list stays open.
          if (!(error instanceof SkillwrightError)) throw error;
          apply({ kind: 'failed', text: error.message });
        }
    }
  };

  const draw = (): void => {
    if (isOver) return;
    const next = renderPicker(state);
    const text = drawFrame(frame, next, tools.paint);
    frame = next;
    if (text !== '') terminal.write(text);
    const skill = selectedSkill(state);
    if (skill !== undefined && state.outline?.path !== skill.path)
      wait('outline', OUTLINE_WAIT_MS, () => apply({ kind: 'outlined', outline: tools.outlineOf(skill) }));
  };

  /** Turns any error during the run into a rejection, so that the terminal is restored first. */
  const guarded = (act: () => void): void => {
    if (isOver) return;
    try {
      act();
      draw();
    } catch (error) {
      isOver = true;
      reject(error);
    }
  };

  const wait = (name: 'escape' | 'outline', milliseconds: number, act: () => void): void => {
    clearTimeout(timers.get(name));
    timers.set(
      name,
      setTimeout(() => guarded(act), milliseconds),
    );
  };

  try {
    terminal.listen({
      input: (bytes) =>
        guarded(() => {
          clearTimeout(timers.get('escape'));
          for (const key of keys.read(bytes)) apply(key);
          if (keys.isWaiting) wait('escape', ESCAPE_WAIT_MS, () => keys.flush().forEach(apply));
        }),
      resized: () =>
        guarded(() => {
          frame = undefined;
          apply({ kind: 'resized', size: terminal.size() });
        }),
      lost: () =>
        guarded(() => {
          frame = undefined;
        }),
      gone: () => {
        isOver = true;
        resolve({ kind: 'left' });
      },
    });
    guarded(() => {});
    return await promise;
  } finally {
    isOver = true;
    for (const timer of timers.values()) clearTimeout(timer);
    terminal.close();
  }
}
