// What a text costs a model.

export { estimateTokens } from './estimate-tokens.ts';
