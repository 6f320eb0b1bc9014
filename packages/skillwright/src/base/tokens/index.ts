// Token estimates.

export { estimateTokens } from './estimate-tokens.ts';
