// The studio: pages on this machine that show skills, their use, and what agents see.

export { studio } from './studio.ts';
