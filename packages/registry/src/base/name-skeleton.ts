// Names that look alike have the same skeleton.

/** Letters of other scripts that look like Latin ones. Accents and width are folded by Unicode's own tables. */
const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аɑα',
    b: 'ьƅ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еҽ',
    g: 'ɡ',
    h: 'һ',
    i: 'іıιɩӏ|!',
    j: 'јϳ',
    k: 'κк',
    m: 'м',
    n: 'ո',
    o: 'оοօ',
    p: 'рρ',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ',
    t: 'т',
    u: 'υս',
    v: 'νѵ',
    w: 'ԝ',
    x: 'хχ',
    y: 'уү',
    z: 'ᴢ',
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/** The shape of a name: two names with the same skeleton are look-alikes, and the second is refused. */
export function nameSkeleton(name: string): string {
  return [...name.normalize('NFKD').toLowerCase()]
    .map((letter) => CONFUSABLES.get(letter) ?? letter)
    .join('')
    .replace(/[\p{M}\p{Cf}\p{Pd}\p{Pc}\s.]/gu, '')
    .replace(/[il]/g, '1')
    .replaceAll('o', '0')
    .replaceAll('rn', 'm');
}
