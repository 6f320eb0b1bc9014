// Lookups in large third-party skills: the skill, the question, and words of the text that answers it. The reading was tuned
// on the first thirty; the others were written before anybody looked at what they cost.

/** A lookup. */
export interface ReadingTask {
  readonly skill: string;
  readonly question: string;
  /** Printed once the answer has been read. */
  readonly fact: string;
}

/** The tasks it was tuned on. */
export const tunedTasks: readonly ReadingTask[] = [
  {
    skill: 'database/using-neon',
    question: 'How do I turn on connection pooling and how many connections does it allow?',
    fact: '-pooler',
  },
  {
    skill: 'database/using-neon',
    question: 'Which Drizzle driver works on Cloudflare Workers when I need interactive transactions?',
    fact: 'WebSocket Adapter',
  },
  {
    skill: 'database/using-neon',
    question: 'Revoke an API key of the organization',
    fact: 'Revoke organization API key',
  },
  {
    skill: 'creative-design/mobile-design',
    question: 'What is the minimum size of a touch target on Android?',
    fact: '48dp × 48dp',
  },
  {
    skill: 'creative-design/mobile-design',
    question: 'Should pagination use cursor or offset for a mobile API?',
    fact: 'cursor_abc123',
  },
  {
    skill: 'creative-design/mobile-design',
    question: 'True black or near black background on OLED screens',
    fact: 'black smear',
  },
  {
    skill: 'development/react-dev',
    question: 'Typing composition events for Chinese or Japanese input',
    fact: 'CompositionEvent',
  },
  {
    skill: 'development/react-dev',
    question: 'Catch-all route that takes the remaining URL',
    fact: 'remaining URL after',
  },
  {
    skill: 'development/react-dev',
    question: 'Subscribe to an external store with a server snapshot',
    fact: 'Server snapshot',
  },
  {
    skill: 'development/error-resolver',
    question: 'all goroutines are asleep deadlock',
    fact: 'never written to',
  },
  {
    skill: 'development/error-resolver',
    question: 'git says Permission denied (publickey)',
    fact: 'ssh-add ~/.ssh/id_ed25519',
  },
  {
    skill: 'development/error-resolver',
    question: 'API answers 429 too many requests, how to retry',
    fact: 'exponential backoff',
  },
  {
    skill: 'workflow-automation/n8n/n8n-code-javascript',
    question: 'Why is the data of my webhook undefined?',
    fact: 'nested under `.body`',
  },
  {
    skill: 'workflow-automation/n8n/n8n-code-javascript',
    question: 'Parse a date from a Unix timestamp',
    fact: 'DateTime.fromSeconds',
  },
  {
    skill: 'scientific/scikit-learn',
    question: 'Which scaler should I use when the data contains outliers?',
    fact: 'interquartile range',
  },
  {
    skill: 'scientific/scikit-learn',
    question: 'Search hyperparameters at random over distributions',
    fact: 'RandomizedSearchCV',
  },
  {
    skill: 'scientific/scikit-learn',
    question: 'Clustering with noise points and arbitrary shapes',
    fact: 'Labels noise points as -1',
  },
  {
    skill: 'ai-research/loki-mode',
    question: 'Which files must not be edited while it is running?',
    fact: 'autonomy/run.sh',
  },
  {
    skill: 'ai-research/loki-mode',
    question: 'When should the work be escalated to a human?',
    fact: 'confidence_score < 0.6',
  },
  {
    skill: 'development/fastmcp-server',
    question: 'Require a scope only for tools with the tag admin',
    fact: 'restrict_tag("admin"',
  },
  {
    skill: 'development/fastmcp-server',
    question: 'Let the user choose several options in an elicitation',
    fact: 'Multi-Select',
  },
  {
    skill: 'development/fastmcp-server',
    question: 'Set the default poll interval of background tasks',
    fact: 'poll_interval',
  },
  {
    skill: 'development/cloudflare-deploy',
    question: 'How many cron triggers can one Worker have?',
    fact: 'Maximum cron schedules per Worker',
  },
  {
    skill: 'development/cloudflare-deploy',
    question: 'KV gives 429 on concurrent writes to the same key',
    fact: '1 write/second',
  },
  {
    skill: 'development/cloudflare-deploy',
    question: 'Maximum batch size when sending messages to a queue',
    fact: '100 msgs or 256 KB',
  },
  {
    skill: 'development/gke-basics',
    question: 'Run spot VMs with on-demand fallback in a compute class',
    fact: 'Spot VMs with On-Demand Fallback',
  },
  {
    skill: 'development/gke-basics',
    question: 'Restore a cluster from a backup',
    fact: 'Restore from Backup',
  },
  { skill: 'scientific/statsmodels', question: 'Test whether a series is stationary', fact: 'adfuller' },
  {
    skill: 'scientific/biopython',
    question: 'Rate limit for Entrez requests without an API key',
    fact: '3 requests per second',
  },
  { skill: 'development/it-operations', question: 'What does the 3-2-1 backup rule mean?', fact: '3-2-1' },
];

/** Tasks on other skills. */
export const unseenTasks: readonly ReadingTask[] = [
  {
    skill: 'scientific/neurokit2',
    question: 'Where do the electrodes for skin conductance go?',
    fact: 'Thenar/hypothenar',
  },
  {
    skill: 'scientific/neurokit2',
    question: 'How many trials per condition does an event-related average need?',
    fact: '20-30+ trials',
  },
  {
    skill: 'scientific/neurokit2',
    question: 'Correct an ECG signal that is upside down',
    fact: 'Flips signal if predominantly negative',
  },
  {
    skill: 'scientific/omero-integration',
    question: 'Append rows to an existing table',
    fact: '# Prepare new data',
  },
  {
    skill: 'scientific/omero-integration',
    question: 'Connect as another user with admin rights',
    fact: '.suConn(',
  },
  {
    skill: 'scientific/omero-integration',
    question: 'Delete all ROIs of an image',
    fact: 'deleteObjects("Roi"',
  },
  {
    skill: 'scientific/shap',
    question: 'My SHAP values are log odds, how do I get probabilities?',
    fact: 'model_output="probability"',
  },
  {
    skill: 'creative-design/mermaid-diagrams',
    question: 'How do I model a many to many relationship in an ERD?',
    fact: '}o--o{',
  },
  {
    skill: 'creative-design/mermaid-diagrams',
    question: 'Switch to the ELK layout',
    fact: 'layout: elk',
  },
  {
    skill: 'creative-design/mermaid-diagrams',
    question: 'Run two branches in parallel in a sequence diagram',
    fact: '    par ',
  },
  {
    skill: 'development/postgres-best-practices',
    question: 'Process a job queue with several workers without blocking',
    fact: 'for update skip locked',
  },
  {
    skill: 'development/postgres-best-practices',
    question: 'Close idle connections automatically',
    fact: 'idle_session_timeout',
  },
  {
    skill: 'development/postgres-best-practices',
    question: 'How can tenants only see their own rows?',
    fact: 'enable row level security',
  },
  {
    skill: 'scientific/pymatgen',
    question: 'Draw a Pourbaix diagram',
    fact: 'PourbaixPlotter',
  },
  {
    skill: 'scientific/pymatgen',
    question: 'Find adsorption sites on a slab',
    fact: 'find_adsorption_sites',
  },
  {
    skill: 'scientific/dask',
    question: 'Change the chunks of an array',
    fact: 'x.rechunk(',
  },
  {
    skill: 'scientific/dask',
    question: 'Open the dashboard of the distributed scheduler',
    fact: 'client.dashboard_link',
  },
  {
    skill: 'scientific/pylabrobot',
    question: 'Tare a scale before weighing',
    fact: '.tare(',
  },
  {
    skill: 'web-development/building-blog',
    question: 'What happens when a post has no translation?',
    fact: 'not a soft 404',
  },
  {
    skill: 'scientific/clinical-reports',
    question: 'Which identifiers have to be removed from a case report?',
    fact: 'Biometric identifiers',
  },
];
