import { describe, expect, test } from 'vitest';
import { stemWord } from './stem-word.ts';

describe('words with one stem', () => {
  test.each([
    'extract extracts extracted extracting extraction extractions',
    'deploy deploys deployed deploying deployment deployments',
    'migrate migrates migrated migrating migration migrations',
    'validate validating validation validator',
    'authenticate authenticated authentication',
    'protect protected protection',
    'configure configuring configuration',
    'install installed installation',
    'organize organise organizing organisation organization',
    'implement implemented implementation',
    'document documents documented documentation',
    'notify notifies notified notifying notification notifications',
    'analyze analyse analyses analyzing analysis',
    'prescribe prescribing prescription',
    'subscribe subscription',
    'reduce reduction',
    'resolve resolved resolution',
    'define definition',
    'submit submitted submission',
    'extend extended extension',
    'convert converting conversion',
    'remove removing removal',
    'approve approval',
    'retrieve retrieval',
    'query queries queried querying',
    'apply applies applied',
    'plan plans planned planning',
    'box boxes',
    'class classes',
    'cache cached caching',
    'format formats formatted formatting',
    'repeat repeated repeating',
    'update updating',
    'quick quickly',
    'automatic automatically',
  ])('%s', (words) => {
    expect(new Set(words.split(' ').map(stemWord)).size).toBe(1);
  });
});

test.each([
  'organ organize',
  'general generate',
  'universe university',
  'policy police',
  'session sect',
  'state station',
  'form format',
  'nation nature',
  'import important port',
  'version verse',
  'comment common',
  'element elect',
  'mission miss',
  'string strong',
  'sing single',
  'one on',
  'use us',
  'need needle',
])('%s are different words', (words) => {
  const all = words.split(' ');
  expect(new Set(all.map(stemWord)).size).toBe(all.length);
});
