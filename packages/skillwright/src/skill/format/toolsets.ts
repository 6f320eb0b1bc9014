// Tools a skill ships, as `path:Export`.

import * as z from 'zod';
import { TextList } from './field-shapes.ts';

const ToolsetReference = z.string().refine(isToolsetReference, {
  error: "must be 'path:Export' with a path inside the skill, as in 'toolsets/index:MyToolset'",
  params: { kind: 'format' },
});

/** The `toolsets` field: a list of `path:Export`, or one. */
export const Toolsets = TextList.pipe(z.array(ToolsetReference));
export type Toolsets = z.infer<typeof Toolsets>;

function isToolsetReference(text: string): boolean {
  const [path, name, ...rest] = text.split(':');
  if (path === undefined || name === undefined || rest.length > 0) return false;
  if (path === '' || path.startsWith('/') || path.includes('\\') || path.includes('\0')) return false;
  return !path.split('/').includes('..') && /^[A-Za-z_$][\w$]*$/.test(name);
}
