// Parts of the syntax trees of Python and JavaScript, and the content of their strings.

import type { SyntaxNode } from '@lezer/common';

/** Names for headers and logins. */
export const isSigning =
  /^(?:\w*headers?\w*|auth|\w*authorization|x-[\w-]{0,20}(?:key|token)|bearer|cookies?|credentials?)$/i;

export const isExpression = ({ name }: SyntaxNode): boolean =>
  /^[A-Z]|^self$|^this$/.test(name) &&
  !/^(?:AssignOp|UpdateOp|ArithOp|CompareOp|LogicOp|BitOp|Equals|Comment|LineComment|BlockComment|TypeDef|TypeAnnotation|TypeArgList|Spread|Optional|Arrow|InterpolationStart|InterpolationEnd|FormatConversion|FormatSpec|TypeParamList|Decorator)$/.test(
    name,
  );

export const isTarget = (node: SyntaxNode): boolean =>
  isExpression(node) || /Pattern$|Definition$/.test(node.name);

/** The variable that an expression belongs to. */
export function rootOf(node: SyntaxNode): SyntaxNode {
  let root = node;
  while (root.name === 'MemberExpression' && root.firstChild !== null) root = root.firstChild;
  return root;
}

/** The content of a string literal. */
export function decodeString(source: string): string {
  const match = /^([a-z]{0,3})("""|'''|["'`])([\s\S]*?)(?:\2)?$/i.exec(source);
  if (match === null) return source;
  return /r/i.test(match[1]!) ? match[3]! : decodeEscapes(match[3]!);
}

export const decodeEscapes = (text: string): string =>
  text.includes('\\')
    ? text.replace(
        /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|([0-3]?[0-7]{1,2})|([\s\S]))/gi,
        (whole, ...codes: (string | undefined)[]) => {
          const [hex, unicode, braces, octal, letter] = codes;
          const code = hex ?? unicode ?? braces;
          if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
          if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
          return { n: '\n', t: '\t', r: '\r', '\n': '' }[letter ?? ''] ?? letter ?? whole;
        },
      )
    : text;
