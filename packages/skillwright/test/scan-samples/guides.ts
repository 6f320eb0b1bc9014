// Ordinary skills, long enough to hide a line in.

import { type Sample, sample } from './sample.ts';

/** An ordinary skill, with a line put into its text where one is given. */
export type Guide = (line?: string) => Sample;

/** How to write good Dockerfiles and compose files. */
export const dockerGuide: Guide = (line = '') =>
  sample(
    'docker-guide',
    'How to write good Dockerfiles and compose files. Use when the user containerises an application.',
    {
      body: `## When to use

Use this skill when the user wants to put an application into a container, to shrink an image or to speed up a build.

## Principles

1. Start from a small base image with a fixed tag.
2. Copy the lock file first, install, and copy the sources after that, so that the cache is used.
3. Use a build stage for compilers and a final stage for what runs.
4. Run as a user who is not root.

\`\`\`dockerfile
FROM node:22-slim AS build
WORKDIR /app
COPY package*.json ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:22-slim
USER node
COPY --from=build /app/dist /app
CMD ["node", "/app/server.js"]
\`\`\`

${line}

## Compose

Give each service a health check and let dependants wait for it. Keep values which differ between environments in \`.env\` files that are not committed.

## Troubleshooting

| symptom | cause | remedy |
|---|---|---|
| build is slow | cache is lost early | order the layers |
| image is large | build tools are left | use stages |
| permission denied | files belong to root | \`COPY --chown\` |`,
    },
  );

/** Python project structure, typing and testing. */
export const pythonGuide: Guide = (line = '') =>
  sample(
    'python-guide',
    'Python project structure, typing and testing. Use when starting or refactoring Python packages.',
    {
      body: `## Layout

Keep the package in \`src/\`, tests in \`tests/\`, and configuration in \`pyproject.toml\`.

## Typing

Annotate public functions. Prefer \`Protocol\` to inheritance, \`TypedDict\` for records that come from JSON, and \`Literal\` for small closed sets.

${line}

## Testing

Use pytest. One behaviour a test; fixtures for what several tests need; parametrise tables.

\`\`\`python
import pytest

@pytest.mark.parametrize("text, words", [("", 0), ("a b", 2)])
def test_count(text, words):
    assert count(text) == words
\`\`\`

## Errors

Raise specific exceptions, never catch what you can't handle, and log with context. Use \`logging.getLogger(__name__)\`.

## Release

Bump the version, write the changelog, tag, build with \`python -m build\`, upload with \`twine\`.`,
    },
  );

/** Review pull requests for correctness, clarity and tests. */
export const reviewGuide: Guide = (line = '') =>
  sample(
    'review-guide',
    'Review pull requests for correctness, clarity and tests. Use when asked for a code review.',
    {
      body: `## Steps

1. Read the description and the linked issue.
2. Read the tests first; they say what is expected.
3. Read the change, file by file, and note questions.
4. Run the tests locally if the change is risky.
5. Write comments which say what, why, and a suggestion.

${line}

## What to look for

- Off-by-one errors, missing \`await\`, wrong operator precedence.
- Errors which are swallowed.
- Queries in loops.
- Input that is not validated.
- Names which do not say what the thing is.

## Tone

Be kind, be precise. Separate what must change from what is a matter of taste. Praise what is good.`,
    },
  );

/** Clean and analyse tabular data with pandas. */
export const dataGuide: Guide = (line = '') =>
  sample('data-guide', 'Clean and analyse tabular data with pandas. Use for CSV or Excel analysis.', {
    body: `## Load

\`df = pd.read_csv(path, dtype_backend="pyarrow")\`. Look at \`df.info()\` and \`df.describe()\` first.

## Clean

Rename columns to snake case, parse dates, drop exact duplicates, and decide for every column what a missing value means.

## Analyse

Group, aggregate, compare with the period before. Show at most three charts and say what each shows.

${line}

## Report

Start with the answer to the question that was asked, then the numbers, then the caveats. Save charts as PNG in \`out/\`.`,
  });
