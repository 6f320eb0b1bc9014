// Programs that skills run, by what they can do.

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** They look at and change text and directories; naming each would hide the programs that matter. */
export const everydayPrograms = words(
  'cd ls cat echo printf pwd grep egrep rg find fd sed awk head tail wc sort uniq cut tr xargs tee touch mkdir cp mv rm rmdir ln chmod chown test true false sleep date which type command export source set unset local read exit return basename dirname realpath stat du df file diff cmp less more tree env printenv clear history alias jq yq seq tar unzip zip gzip gunzip kill ps whoami hostname uname id time wait trap shift eval exec declare pushd popd column',
);

/** Programs worth naming. Others count only if a skill uses them often or names them itself. */
export const knownPrograms = words(
  'bash sh zsh python python3 pip pip3 pipx uv uvx poetry conda mamba pytest ruff mypy black node npm npx pnpm yarn bun bunx deno tsx ts-node tsc jest vitest playwright puppeteer git gh glab hub curl wget ssh scp sftp rsync nc ncat telnet ftp docker docker-compose podman kubectl helm terraform tofu ansible ansible-playbook aws gcloud gsutil bq az doctl heroku vercel netlify wrangler flyctl fly supabase firebase railway render go cargo rustc rustup gem bundle rails ruby php composer artisan perl lua java javac mvn gradle dotnet swift xcodebuild xcrun brew apt apt-get yum dnf apk pacman snap choco winget scoop systemctl service launchctl crontab psql mysql sqlite3 mongosh redis-cli ffmpeg ffprobe imagemagick convert magick pandoc soffice libreoffice pdftotext pdftoppm qpdf tesseract yt-dlp nmap sqlmap nikto hydra gobuster ffuf nuclei masscan msfconsole john hashcat openssl gpg make cmake ninja gcc clang osascript open xdg-open pbcopy pbpaste powershell pwsh claude codex gemini ollama huggingface-cli hf modal sentry-cli stripe shopify expo eas flutter adb fastlane pod turbo nx lerna prisma drizzle-kit semgrep trivy snyk gitleaks trufflehog bandit eslint prettier biome lighthouse mmdc dot gnuplot Rscript R julia matlab octave latexmk pdflatex xelatex typst skc',
);

/** Programs that reach other machines whatever their arguments are. */
export const networkPrograms = words(
  'curl wget ssh scp sftp rsync nc ncat telnet ftp gh glab aws gcloud gsutil bq az doctl heroku vercel netlify wrangler flyctl fly supabase firebase railway npx bunx uvx yt-dlp nmap sqlmap nikto hydra gobuster ffuf nuclei masscan huggingface-cli hf modal sentry-cli kubectl',
);

/** Programs that do so for some subcommands. */
export const networkSubcommands: Readonly<Record<string, RegExp>> = {
  git: /^(?:clone|push|pull|fetch|ls-remote|submodule)$/,
  npm: /^(?:i|install|ci|add|publish|update|create|init|audit|view|login)$/,
  pnpm: /^(?:i|install|add|dlx|create|publish|update)$/,
  yarn: /^(?:install|add|dlx|create|publish|upgrade)$/,
  bun: /^(?:i|install|add|create|x|update)$/,
  deno: /^(?:install|add)$/,
  pip: /^(?:install|download)$/,
  pip3: /^(?:install|download)$/,
  pipx: /^(?:install|run|upgrade)$/,
  uv: /^(?:pip|add|sync|tool)$/,
  poetry: /^(?:install|add|update|publish)$/,
  conda: /^(?:install|create|update)$/,
  mamba: /^(?:install|create|update)$/,
  brew: /^(?:install|update|upgrade|tap)$/,
  apt: /^(?:install|update|upgrade)$/,
  'apt-get': /^(?:install|update|upgrade)$/,
  yum: /^install$/,
  dnf: /^install$/,
  apk: /^add$/,
  choco: /^install$/,
  winget: /^install$/,
  gem: /^(?:install|update)$/,
  bundle: /^(?:install|update)$/,
  go: /^(?:get|install)$/,
  cargo: /^(?:install|add|publish|fetch)$/,
  composer: /^(?:install|require|update|create-project)$/,
  docker: /^(?:pull|push|login)$/,
  helm: /^(?:install|repo|pull|upgrade)$/,
  terraform: /^(?:init|plan|apply|destroy)$/,
  rustup: /^(?:install|update|target|component)$/,
  ollama: /^(?:pull|push)$/,
  stripe: /^(?:listen|login|trigger)$/,
};

const languages: readonly (readonly [program: string, name: string, extensions: string])[] = [
  ['python', 'Python scripts', 'py'],
  ['bash', 'shell scripts', 'sh bash zsh'],
  ['node', 'JavaScript programs', 'js mjs cjs'],
  ['node', 'TypeScript programs', 'ts mts'],
  ['ruby', 'Ruby scripts', 'rb'],
  ['perl', 'Perl scripts', 'pl'],
  ['php', 'PHP scripts', 'php'],
  ['lua', 'Lua scripts', 'lua'],
  ['powershell', 'PowerShell scripts', 'ps1'],
  ['cmd', 'batch files', 'bat cmd'],
  ['Rscript', 'R scripts', 'r'],
  ['go', 'Go programs', 'go'],
  ['cargo', 'Rust programs', 'rs'],
  ['swift', 'Swift programs', 'swift'],
];

/** The interpreter of a script by its extension, and what people call such a script. */
export const scriptLanguages = new Map(
  languages.flatMap(([program, name, extensions]) =>
    extensions.split(' ').map((extension) => [extension, { program, name }] as const),
  ),
);

const sameProgram: Readonly<Record<string, string>> = {
  python3: 'python',
  pip3: 'pip',
  sh: 'bash',
  zsh: 'bash',
  pwsh: 'powershell',
  tsx: 'node',
  'ts-node': 'node',
};

/** One name for the spellings of a program. */
export const programName = (word: string): string => sameProgram[word] ?? word;

/** Programs that write files, and what they do. */
export const writingPrograms: Readonly<Record<string, string>> = {
  rm: 'deletes files',
  rmdir: 'deletes files',
  shred: 'deletes files',
  cp: 'writes files',
  mv: 'writes files',
  tee: 'writes files',
  touch: 'writes files',
  mkdir: 'writes files',
  ln: 'writes files',
  unzip: 'writes files',
};
