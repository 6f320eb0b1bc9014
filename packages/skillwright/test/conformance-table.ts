// Results for every scenario of the protocol's public conformance suite. The table in docs/guide/mcp.md is generated from
// this one, and mcp-conformance.test.ts compares both with the suite.

/** Passed by `skc mcp --http` with skills as fixtures. */
export const PRODUCT = 'passes';

/** Passed by the same server with commands as fixtures, declared as those of skc are. */
export const FIXTURES = 'passes with fixture commands';

const elsewhere = 'every resource of this server has a `skill://` URI, and the scenario asks for `test://`';
const textAlone = 'tools of this server give text and structured content alone';
const oneText = 'a prompt of this server is one text: the body of a skill';
const ownForms = 'the scenario prescribes a form; this server sends two forms, a confirmation and a quiz';

/** Scenarios in the order of the suite: how they pass, or why they do not apply. */
export const conformanceTable: Readonly<Record<string, string>> = {
  'server-initialize': PRODUCT,
  'logging-set-level': PRODUCT,
  ping: PRODUCT,
  'completion-complete': PRODUCT,
  'tools-list': PRODUCT,
  'tools-call-simple-text': FIXTURES,
  'tools-call-image': textAlone,
  'tools-call-audio': textAlone,
  'tools-call-embedded-resource': textAlone,
  'tools-call-mixed-content': textAlone,
  'tools-call-with-logging': FIXTURES,
  'tools-call-error': FIXTURES,
  'tools-call-with-progress': FIXTURES,
  'tools-call-sampling': 'this server never asks the model of a client',
  'tools-call-elicitation': FIXTURES,
  'json-schema-2020-12':
    'input schemas leave out `$schema` and `$defs`, which would cost a model tokens; clients read them as 2020-12',
  'elicitation-sep1034-defaults': ownForms,
  'server-sse-polling': 'this server keeps no events: a client that loses a stream asks again',
  'server-sse-multiple-streams': PRODUCT,
  'elicitation-sep1330-enums': ownForms,
  'resources-list': PRODUCT,
  'resources-read-text': elsewhere,
  'resources-read-binary': elsewhere,
  'resources-templates-read': elsewhere,
  'resources-subscribe': elsewhere,
  'resources-unsubscribe': elsewhere,
  'prompts-list': PRODUCT,
  'prompts-get-simple': PRODUCT,
  'prompts-get-with-args': PRODUCT,
  'prompts-get-embedded-resource': oneText,
  'prompts-get-with-image': oneText,
  'dns-rebinding-protection': PRODUCT,
};
