// The input of a tool call, whatever a model wrote.

/** The input as a table; JSON in text is read, anything else is an empty table, which the tool then refuses. */
export function readToolInput(given: unknown): Record<string, unknown> {
  let value = given;
  if (typeof given === 'string')
    try {
      value = JSON.parse(given === '' ? '{}' : given);
    } catch {
      return {};
    }
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isTable ? (value as Record<string, unknown>) : {};
}
