// Hosts that many honest skills name.

/** Well-known services and forges, this machine, private networks. Takes a host name. */
export const usualHosts =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|google\.com|googleapis\.com|npmjs\.(?:org|com)|pypi\.org|w3\.org|schema\.org|json-schema\.org|schemastore\.org|openai\.com|anthropic\.com|claude\.(?:ai|com)|openrouter\.ai|groq\.com|mistral\.ai|deepseek\.com|microsoft\.com|windows\.net|azure\.com|amazonaws\.com|aws\.amazon\.com|cloudflare\.com|huggingface\.co|slack\.com|atlassian\.(?:net|com)|notion\.(?:com|so)|linear\.app|stripe\.com|wikipedia\.org|apple\.com|mozilla\.org|python\.org|nodejs\.org|vercel\.com|supabase\.com|sentry\.io|twitter\.com|x\.com|youtube\.com|reddit\.com|jsdelivr\.net|unpkg\.com|adobe\.com|openxmlformats\.org|purl\.org|xmlsoap\.org|apache\.org|gnu\.org|opensource\.org|t\.me|localhost\.\w{2,9})$|^(?:localhost|127\.|10\.|192\.168\.|0\.0\.0\.0)/i;
