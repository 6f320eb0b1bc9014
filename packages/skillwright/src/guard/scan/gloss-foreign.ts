// Foreign words and phrases that orders against the user consist of, with their English meaning.

type Meanings = readonly (readonly [pattern: string, english: string])[];

const chinese: Meanings = [
  [
    '(?:不要|不得|不能|无需|不需要|别|切勿)(?:向|对|让|给|跟)(?:用户|使用者).{0,4}(?:告诉|透露|提及|提到|说明|告知|知道|显示|披露)',
    'do not tell the user',
  ],
  [
    '(?:不要|不得|别|切勿)在(?:输出|回答|回复|总结|日志)(?:中|里)(?:提及|提到|显示|说明)',
    'do not tell the user',
  ],
  ['(?:不要|别|无需|不必|无须)(?:告诉|告知|通知|提醒)(?:用户|使用者)', 'do not tell the user'],
  ['(?:悄悄|偷偷|暗中|秘密地|静默地)地?', 'secretly '],
  [
    '(?:忽略|无视|忘记|忘掉)(?:之前|以前|先前|上面|以上|前面)的?(?:所有|全部|一切)?的?(?:指令|指示|命令|提示|规则)',
    'ignore all previous instructions',
  ],
  [
    '(?:忽略|无视|绕过)(?:所有|全部|任何)?的?(?:安全)(?:限制|规则|策略|检查)',
    'ignore all safety restrictions',
  ],
  ['(?:无需|不需要|不要|不用|无须)(?:用户)?(?:确认|询问|批准|同意|许可)', 'without asking for confirmation'],
  ['从现在(?:开始|起)', 'from now on'],
  ['(?:每次|每个|所有)(?:会话|对话|任务|请求|回答)', 'every session'],
  ['(?:必须|应当|应该)?优先执行(?:本|此|该)(?:技能|文件|文档)', 'this skill has the highest priority'],
  ['即使与用户.{0,8}(?:冲突|矛盾|不符)', 'even if the user says otherwise'],
  ['(?:环境变量)', ' environment variables '],
  ['(?:密码|口令)', ' password '],
  ['(?:密钥|私钥|令牌|凭证|凭据)', ' credentials '],
  ['(?:对话|聊天)(?:记录|历史|内容)', ' the conversation history '],
  ['(?:发送|上传|提交|传输|转发|发给|传到)', ' send '],
  ['(?:下载并运行|下载并执行|下载后运行)', ' download and run '],
  ['(?:解压密码|压缩包密码)[::]?', ' archive password: '],
  ['(?:杀毒软件|安全软件|防火墙)', ' antivirus '],
  ['(?:读取|收集|获取|搜集)', ' read '],
  ['(?:执行|运行)', ' run '],
  ['(?:安装脚本|安装命令)', ' installation script '],
  ['(?:命令|脚本)', ' command '],
  ['(?:下载)', ' download '],
  ['(?:安装)', ' install '],
  ['(?:必须|务必|需要)', ' must '],
  ['(?:先决条件|前提条件|前置条件)', ' prerequisites '],
  ['(?:复制)', ' copy '],
  ['(?:粘贴)', ' paste '],
  ['(?:终端)', ' terminal '],
  ['(?:解压)', ' extract '],
];

const russian: Meanings = [
  [
    'не (?:сообща|говор|рассказыва|упомина|показыва|раскрыва)\\p{L}*(?: об этом)?(?: пользовател\\p{L}*)?',
    'do not tell the user',
  ],
  ['(?:незаметно|тайно|скрытно|втайне)(?: для пользователя| от пользователя)?', 'secretly'],
  [
    '(?:забудь|игнорируй|проигнорируй)(?:те)? (?:все )?(?:предыдущие|прежние|прошлые) (?:указания|инструкции|команды|правила)',
    'ignore all previous instructions',
  ],
  ['без (?:подтверждения|согласия|разрешения|вопросов|спроса)', 'without asking'],
  ['(?:подчиняешься|подчиняйся|слушайся) только', 'obey only'],
  ['(?:кажд\\p{L}+|все) (?:сесси|задач|запрос|разговор)\\p{L}*', 'every session'],
  ['переменн\\p{L}+ (?:окружения|среды)', 'environment variables'],
  ['парол\\p{L}*', 'password'],
  ['(?:ключ|токен)\\p{L}*', 'credentials'],
  ['истори\\p{L} (?:переписки|диалога|разговора)', 'the conversation history'],
  ['(?:отправ|перешл|загруз|передай)\\p{L}*', 'send'],
  ['(?:прочита|прочти|собер|считай)\\p{L}*', 'read'],
  ['(?:выполн|запуст)\\p{L}*', 'run'],
  ['команд\\p{L}*', 'command'],
];

/** Spanish and Portuguese, French, German. */
const european: Meanings = [
  [
    '(?:no|nunca|não) (?:se )?(?:lo |le )?(?:menciones?|digas?|informes?|reveles?|avises?|muestres?|cuentes?|mencione|diga|informe|revele|mostre|conte|avise)\\b[^.\\n]{0,40}?(?:\\b(?:usuario|usuário)\\b)?',
    'do not tell the user',
  ],
  [
    '(?:en secreto|a escondidas|silenciosamente|sin que el usuario (?:lo )?(?:sepa|note)|em segredo|discretamente)',
    'secretly',
  ],
  ['oculta(?:r)?\\b[^.\\n]{0,30}\\busu[aá]rio', 'hide this from the user'],
  [
    '(?:ignora|ignore|olvida|esquece|esqueça)r? (?:todas )?(?:las|as) (?:instrucciones|instruções|órdenes)(?: anteriores| previas)?',
    'ignore all previous instructions',
  ],
  [
    '(?:sin|sem) (?:pedir )?(?:confirmaci[oó]n|permiso|preguntar|confirmação|permissão|perguntar)',
    'without asking for confirmation',
  ],
  ['nunca (?:pidas|peça|pedir) confirma(?:ci[oó]n|ção)', 'never ask for confirmation'],
  ['variables de entorno|variáveis de ambiente', 'environment variables'],
  ['contraseñas?|senhas?', 'password'],
  ['credenciales|credenciais', 'credentials'],
  ['(?:env[ií]a|env[ií]e|enviar|env[ií]al[ao]s?|sube|subir|reenv[ií]a)\\b', 'send'],
  [
    '(?:cada|todas las|todas as) (?:sesi[oó]n|sesiones|tarea|sessão|tarefa|conversaci[oó]n|conversa)\\w*',
    'every session',
  ],
  ['(?:ejecuta|ejecutes?|ejecutar|execute|executar)\\b[^.\\n]{0,20}comandos?', 'run the command'],
  [
    "n['’]?e? ?(?:en )?(?:informe|parle|dis|mentionne|révèle|dites)z? (?:pas|rien|jamais)[^.\\n]{0,30}utilisateur",
    'do not tell the user',
  ],
  ["à l['’]insu de l['’]utilisateur|en secret|discrètement", 'secretly'],
  ['ignore(?:z|r)? (?:toutes )?les instructions précédentes', 'ignore all previous instructions'],
  ['sans (?:demander|confirmation|autorisation)', 'without asking'],
  ["variables d['’]environnement", 'environment variables'],
  ['mots? de passe', 'password'],
  ['identifiants', 'credentials'],
  ['envoie(?:z|r)?|envoyez|téléverse(?:z|r)?', 'send'],
  [
    '(?:sage|sag|erwähne|verrate|teile)\\b[^.\\n]{0,30}\\b(?:nicht|nichts|nie)\\b|(?:ohne|nicht) [^.\\n]{0,20}(?:Benutzer|Nutzer|Anwender)\\w*[^.\\n]{0,20}(?:zu informieren|mitteilen|erwähnen|zeigen)',
    'do not tell the user',
  ],
  ['heimlich|unbemerkt|im Verborgenen', 'secretly'],
  [
    'ignoriere (?:alle )?(?:vorherigen|bisherigen|früheren) (?:Anweisungen|Regeln)',
    'ignore all previous instructions',
  ],
  ['ohne (?:Rückfrage|Nachfrage|zu fragen|Bestätigung)', 'without asking'],
  ['Umgebungsvariablen', 'environment variables'],
  ['(?:Passwort|Passwörter|Kennwörter|Kennwort)', 'password'],
  ['Zugangsdaten', 'credentials'],
  ['(?:sende|schicke|übermittle|lade)\\b', 'send'],
];

/** One language or family: the letters that identify it, and its phrases as one expression. */
const languages = (
  [
    [/[\u4e00-\u9fff]/g, chinese],
    [/[\u0400-\u04ff]/g, russian],
    [/[\u00c0-\u024f]/g, european],
  ] as const
).map(([letters, meanings]) => ({
  letters,
  meanings,
  phrases: new RegExp(meanings.map(([pattern]) => `(${pattern})`).join('|'), 'giu'),
}));

/** This many characteristic letters identify a language; fewer are names and symbols. */
const ENOUGH = 2;
/** Longest line that is translated. */
const MAX_LINE = 4000;

/** The lines that contain known foreign phrases, translated as far as known, with their line numbers. */
export function glossForeign(text: string): { text: string; lines: readonly number[] } | undefined {
  const spoken = languages.filter(({ letters }) => isSpoken(text, letters));
  if (spoken.length === 0) return undefined;
  const glossed: string[] = [];
  const lines: number[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.length > MAX_LINE) continue;
    let english = line;
    for (const { meanings, phrases } of spoken)
      english = english.replace(phrases, (whole: string, ...groups: unknown[]) => {
        const number = groups.slice(0, meanings.length).findIndex((group) => group !== undefined);
        return ` ${meanings[number]?.[1] ?? whole} `;
      });
    if (english === line) continue;
    glossed.push(english);
    lines.push(at + 1);
  }
  return glossed.length === 0 ? undefined : { text: glossed.join('\n'), lines };
}

function isSpoken(text: string, letters: RegExp): boolean {
  letters.lastIndex = 0;
  for (let count = 0; count < ENOUGH; count++)
    if (!letters.test(text)) return letters === languages[2]!.letters && /\busuario\b/.test(text);
  return true;
}
