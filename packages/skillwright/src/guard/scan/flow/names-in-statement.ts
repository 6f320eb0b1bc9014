// Finds the names and files that a statement sets, uses, writes and runs, in any language that skills use.

const anyName = /[A-Za-z_$][\w$]{0,60}/g;

/** Keywords and built-in names, which carry no data. */
const words = new Set(
  'if else for while in of and or not is none null true false return import from as def class with try except finally raise lambda async await const let var function new this self export local then do done fi case esac echo print printf str int list dict set len range open read write json dumps loads encode decode get post put data_type os sys re path join requests urllib request http https fs require process env environ subprocess console log home http_client response_type curl wget base64 bash sh cat tar zip utf8 utf string buffer stringify object array math error'.split(
    ' ',
  ),
);

const strings = /(?<![fF\w$])(["'])(?:[^"'\\\n${}]|\\.){0,400}\1/g;

/** Parts of a request that carry a key to the service that issued it: headers and logins. */
export function withoutHeaders(text: string): string {
  if (!/header|auth|-H|-u\b|env/i.test(text)) return text;
  return text
    .replace(/(?:-H|--header|-u|--user)[ =]{1,2}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\S{1,200})/g, ' ')
    .replace(/\bheaders\b\s{0,2}[=:]\s{0,2}(?:\{[^}]{0,600}\}|[\w.$]{1,60}(?:\([^)]{0,100}\))?)/gi, ' ')
    .replace(/\bauth\b\s{0,2}[=:]\s{0,2}(?:\([^)]{0,200}\)|\{[^}]{0,200}\}|[\w.$]{1,60})/gi, ' ')
    .replace(/["']?\bAuthorization\b["']?\s{0,2}[:,=\]]{1,2}[^,}\n]{0,300}/gi, ' ')
    .replace(/\benv\b\s{0,2}[=:]\s{0,2}(?:\{[^}]{0,300}\}|[\w.$]{1,60}(?:\([^)]{0,60}\))?)/g, ' ');
}

/** Names that a statement uses; words in plain strings are not names. */
export function usedNames(text: string): string[] {
  const bare = text.length > 4000 ? text : text.replace(strings, '""');
  const found = new Set<string>();
  for (const [name] of bare.matchAll(anyName))
    if (name.length > 0 && !words.has(name.toLowerCase())) found.add(name.replace(/^\$/, ''));
  return [...found];
}

/** Names that a statement assigns. */
export function definedNames(text: string): string[] {
  const found: string[] = [];
  const add = (list: string | undefined): void => {
    for (const [name] of (list ?? '').matchAll(anyName))
      if (!words.has(name.toLowerCase())) found.push(name.replace(/^\$/, ''));
  };
  const set =
    /^\s{0,80}(?:(?:export|local|readonly|const|let|var|declare(?: -\w{1,4})?|public|private|static|final|my|our)\s{1,4})?((?:[[{(]?\s{0,2}[$\w]{1,60}(?:\s{0,2},\s{0,2}[$\w]{1,60}){0,6}\s{0,2}[\]})]?))(?:\s{0,2}:\s{0,2}[\w[\], .|"']{1,60})?\s{0,2}(?::=|[+|]?=)(?!=|>)/.exec(
      text,
    );
  if (set !== null) add(set[1]);
  const loop =
    /\bfor\s{1,3}\(?\s{0,2}(?:const |let |var )?((?:[[{(]?\s{0,2}[$\w]{1,60}(?:\s{0,2},\s{0,2}[$\w]{1,60}){0,4}\s{0,2}[\]})]?))\s{1,3}(?:in|of)\b/.exec(
      text,
    );
  if (loop !== null) add(loop[1]);
  const as = /\bas\s{1,3}(\w{1,60})\s{0,4}:?\s{0,4}$/.exec(text);
  if (as !== null) add(as[1]);
  const given =
    /(?:\(|,|\.then\()\s{0,2}\(?\s{0,2}((?:\w{1,40})(?:\s{0,2},\s{0,2}\w{1,40}){0,3})\s{0,2}\)?\s{0,2}=>/.exec(
      text,
    );
  if (given !== null) add(given[1]);
  const read = /\bread\s{1,3}(?:-\w{1,3}\s{1,3}){0,3}(\w{1,40})/.exec(text);
  if (read !== null) add(read[1]);
  return found;
}

/** Names that a statement adds to. */
export function mutatedNames(text: string): string[] {
  const found: string[] = [];
  const pattern =
    /(?<![\w$.])([A-Za-z_$][\w$]{0,60})(?:\[[^\]\n]{0,80}\]\s{0,2}[+|]?=(?!=)|(?:\.\w{1,30}){0,2}\.(?:append|extend|update|add|push|set|write|writestr|attach|add_attachment|put|insert|concat|setdefault|unshift)\()|(?<![\w$.])([A-Za-z_$][\w$]{0,60})(?:\.\w{1,30}){1,2}\s{0,2}[+|]?=(?!=)|(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,2}\+=/g;
  for (const match of text.matchAll(pattern)) {
    const name = match[1] ?? match[2] ?? match[3]!;
    if (!words.has(name.toLowerCase())) found.push(name);
  }
  return found;
}

/** Files that a statement names, without extensions, because programs add them. */
export function pathsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [path] of text.matchAll(
    /(?:~|\$HOME|\$\{HOME\}|\.{0,2})\/(?!\/)[\w.~@$-]{1,60}(?:\/[\w.@$-]{1,60}){0,8}|(?<![\w/.:@-])\.?[\w-]{2,40}\.(?:zip|tgz|tar|gz|7z|txt|json|db|log|png|enc|b64|sh|py|js|bin|exe|bat|ps1|dmg|pkg|dat|csv|tmp)\b/g,
  )) {
    if (path.length < 4 || /^\/(?:usr|bin|dev\/null|etc\/ssl|v\d)/.test(path)) continue;
    found.add(path.replace(/^\.\//, '').replace(/(?<=[\w-])\.(?:zip|tgz|tar\.gz|tar|gz|7z|b64|enc)$/, ''));
  }
  return [...found];
}

/** Whether a statement writes a file. */
export const writes = (text: string): boolean =>
  /(?<![-=0-9&])>{1,2}\s{0,2}["']?[\w~$./-]|\s-[a-zA-Z]{0,6}[oO]\b|\s--output|\b(?:zip|7z|tar|cp|mv|tee|gpg|rsync|ditto|install|ln)\s|\.write(?:_text|_bytes|str|file|File|FileSync|AllText|AllBytes)?\(|writeFile(?:Sync)?\(|appendFile(?:Sync)?\(|copy(?:file|2|tree)?\(|copyFile(?:Sync)?\(|make_archive\(|urlretrieve\(|DownloadFile\(|-OutFile\b|createWriteStream\(|Out-File|Set-Content|Add-Content|-urlcache\b/i.test(
    text,
  );

/** Names and files that a statement runs, as opposed to reading or writing them. */
export function ranNames(text: string, { isShell }: { isShell: boolean }): string[] {
  const found = new Set<string>();
  const take = (piece: string | undefined): void => {
    if (piece === undefined) return;
    for (const name of usedNames(piece)) found.add(name);
    for (const path of pathsIn(piece)) found.add(path);
    for (const path of pathsIn(`"${piece}"`)) found.add(path);
  };
  for (const match of !isShell
    ? []
    : text.matchAll(
        /(?<![\w.$-])(?:(?:ba|z|da|k)?sh|source|python[\d.]{0,4}|node|perl|ruby|open|nohup|exec|start(?: "")?)[ \t]{1,3}(?:-[a-z]{1,3}[ \t]{1,3}){0,2}["']?([\w./~$%{}\\-]{2,100})|\bchmod[ \t]{1,3}(?:[ugoa]{0,3}[+=][rw]{0,2}x|0?[57][0-7]{2})[ \t]{1,3}["']?([\w./~$%{}\\-]{2,100})|(?:^|\b(?:then|do|sudo|nohup|exec)[ \t])\s{0,12}["']?((?:\.\/|~\/|\/tmp\/|\/dev\/shm\/|\$\{?\w)[\w./${}-]{1,80})["']?(?=[ \t\n&;)]|$)(?![ \t]{0,3}=)/g,
      ))
    take(match[1] ?? match[2] ?? match[3]);
  for (const match of text.matchAll(
    /(?:\b(?:subprocess\.\w{3,16}|os\.(?:system|popen|startfile|exec\w{1,3}|spawn\w{1,3}|posix_spawn)|runpy\.run_\w{4,6}|ctypes\.CDLL|(?:child_process|cp)\.\w{4,14}|asyncio\.create_subprocess_\w{4,5})|(?<![\w.$])(?:Popen|check_output|system|popen|execSync|execFile(?:Sync)?|spawn(?:Sync)?|exec)|\bexec\.Command|\bStart-Process(?:[ \t]-FilePath)?)[ \t]{0,2}\(?\s{0,4}\[?\s{0,4}(?:(?:["'](?:sudo|(?:\/bin\/)?(?:ba|z)?sh|python[\d.]{0,3}|node|perl|ruby|powershell|cmd|-c|-File|\/c)["']|sys\.executable|process\.execPath)\s{0,2},\s{0,4}\[?\s{0,4}){0,3}(?:str\(|f["'`](?:sudo |bash |sh |python3? |node |chmod \+x ){0,2}\{?|["'`]?)([\w./~$%{}\\:-]{1,100})/g,
  ))
    take(match[1]);
  for (const match of text.matchAll(
    /(?:(?<![\w.])(?:exec|eval|compile)\)?|\bnew Function|\bvm\.run\w{0,16})\s{0,2}\(([^\n]{1,300})|\b(?:Invoke-Expression|iex)\b\s{0,2}\(?([^\n|]{1,200})|&\s{0,2}["']?(\$\w{1,40})/g,
  ))
    take(match[1] ?? match[2] ?? match[3]);
  if (/\|\s{0,2}(?:iex|Invoke-Expression)\b/i.test(text)) take(text.slice(0, text.indexOf('|')));
  return [...found];
}

/** Whether a name holds a key that signs a request. */
export const isHeader = (name: string): boolean =>
  /header|auth|bearer|session|credential_provider/i.test(name);
