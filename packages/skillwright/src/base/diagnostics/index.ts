// Codes, errors and how they are printed.

export { attempt, catchCoded, orUndefined } from './attempt.ts';
export {
  type Code,
  type CodeDefinition,
  type CodeValues,
  codes,
} from './codes.ts';
export { countedFacts, countFact, countFacts, once } from './count-fact.ts';
export { describeIssue } from './describe-issue.ts';
export { type Diagnostic, diagnose, diagnosticOf, failureJson, type Severity } from './diagnostic.ts';
export { formatCount, formatPlace, oneLine, quoteWord } from './format-count.ts';
export { cutText, formatMessage, makeVisible, startOf, UNSEEN } from './format-message.ts';
export { type Paint, plainPaint, renderDiagnostic, terminalPaint } from './render-text.ts';
export {
  internalError,
  invalidOption,
  messageOf,
  SkillwrightError,
  unknownOption,
} from './skillwright-error.ts';
export { editDistance, suggest } from './suggest.ts';
export { hideSecrets, hideSecretsIn, secretIn } from './url-secrets.ts';
