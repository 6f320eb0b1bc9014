// SQLite of the runtime. Node 22 warns that it is experimental: nothing that a person who runs skc could act on.

function loadQuietly(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** A connection to a database. */
export const { DatabaseSync } = loadQuietly();
