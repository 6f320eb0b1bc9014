// Removes fields from a result.

/** The value without these fields; `sections.content` also matches that field in every entry of a list. */
export function omitFields(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => omitFields(item, paths));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !paths.includes(field))
      .map(([field, item]) => {
        const below = paths.flatMap((path) =>
          path.startsWith(`${field}.`) ? [path.slice(field.length + 1)] : [],
        );
        return [field, omitFields(item, below)];
      }),
  );
}
