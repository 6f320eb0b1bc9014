// Feeds of public changes, of the whole registry and of one namespace.

import { digestOf } from '../base/index.ts';
import { readPublicChanges, renderAtomFeed, renderJsonFeed } from '../changes/index.ts';
import { answerTagged } from '../http/index.ts';
import { defineOperation, type Operation, type OperationCall } from './operation.ts';

const MAX_AGE = 60;

function feedOperation(format: 'json' | 'atom', isOfOwner: boolean): Operation {
  const type = format === 'json' ? 'application/feed+json' : 'application/atom+xml';
  return defineOperation({
    id: `read${isOfOwner ? 'Owner' : ''}${format === 'json' ? 'Json' : 'Atom'}Feed`,
    method: 'GET',
    path: `${isOfOwner ? '/@{owner}' : ''}/feed.${format}`,
    summary: `Changes of public skills${isOfOwner ? ' of one namespace' : ''}, newest first`,
    scope: null,
    status: 200,
    response: type,
    errors: [],
    async run({ registry, path, context }: OperationCall<Record<string, never>, undefined>) {
      const owner = isOfOwner ? path.owner : undefined;
      const changes = await readPublicChanges(registry, owner);
      const place = {
        publicUrl: registry.publicUrl,
        path: `${owner === undefined ? '' : `/@${owner}`}/feed.${format}`,
        title: owner === undefined ? 'Skillwright registry' : `Skills of @${owner}`,
      };
      const text =
        format === 'json' ? JSON.stringify(renderJsonFeed(changes, place)) : renderAtomFeed(changes, place);
      const tag = `"${digestOf(text).slice(7, 39)}"`;
      return answerTagged(context, { tag, isPublic: true, maxAge: MAX_AGE, type }, () => text);
    },
  });
}

export const feedOperations: readonly Operation[] = [
  feedOperation('json', false),
  feedOperation('atom', false),
  feedOperation('json', true),
  feedOperation('atom', true),
];
