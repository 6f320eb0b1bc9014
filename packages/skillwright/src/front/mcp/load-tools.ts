// Builds tools from the command table, with the same input, output and text as on the command line.

import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type AnyCommand, type CommandName, commandTable, type Effect } from '../commands/index.ts';
import { type ToolRow, toolTable } from './tool-table.ts';

/** A command as a tool. */
export interface ServedTool {
  readonly commandName: CommandName;
  readonly command: AnyCommand;
  readonly row: ToolRow;
  /** Fields a caller may pass: the command's input without fixed fields and those reserved for the user. */
  readonly input: z.ZodObject;
  /** Entry in `tools/list`. */
  readonly definition: Tool;
}

/** Every tool by its name. */
export async function loadTools(): Promise<ReadonlyMap<string, ServedTool>> {
  const rows = Object.entries(toolTable) as [CommandName, ToolRow][];
  const tools = await Promise.all(rows.map(([name, row]) => loadTool(name, row)));
  return new Map(tools.map((tool) => [tool.definition.name, tool]));
}

async function loadTool(commandName: CommandName, row: ToolRow): Promise<ServedTool> {
  const { summary } = commandTable[commandName];
  const command: AnyCommand = await commandTable[commandName].load();
  return { commandName, ...describeTool(command, row, { name: `skc_${commandName}`, summary }) };
}

/** Describes a command as a tool with this name. */
export function describeTool(
  command: AnyCommand,
  row: ToolRow,
  { name, summary }: { name: string; summary: string },
): Omit<ServedTool, 'commandName'> {
  const hidden = Object.keys({ ...command.usersOwn, ...row.fixed }).map((field) => [field, true]);
  const input: z.ZodObject = command.input.omit(Object.fromEntries(hidden));
  const definition: Tool = {
    name,
    description: [summary, row.advice, describeWrites(command)]
      .filter((part) => part !== undefined)
      .join('. '),
    inputSchema: schemaOf(input, 'input') as Tool['inputSchema'],
    outputSchema: withFailure(
      withoutText(schemaOf(command.output, 'output'), { command, row }),
    ) as Tool['outputSchema'],
    annotations: annotationsOf(row.effect ?? command.effect, row),
  };
  return { command, row, input, definition };
}

/** Where a call may write, for the person or host that approves it. */
function describeWrites({ writes }: AnyCommand): string | undefined {
  return writes.length === 0 ? undefined : `Writes: ${writes.join(', ')}`;
}

/** Commands that run no third-party code are repeatable and do not reach beyond this machine. */
function annotationsOf(effect: Effect, { openWorld = false }: Pick<ToolRow, 'openWorld'>): ToolAnnotations {
  const readOnlyHint = effect === 'read';
  const changes = readOnlyHint
    ? {}
    : { destructiveHint: effect === 'destructive', idempotentHint: !openWorld };
  return { readOnlyHint, ...changes, openWorldHint: openWorld };
}

type JsonSchema = Record<string, unknown>;

/** Depth of a field in an output schema: `properties` and its name. */
const FIELD_DEPTH = 2;

/** JSON Schema without parts that cost a model tokens and add nothing. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema, path }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.default === false) delete jsonSchema.default;
      if (io === 'input') return;
      delete jsonSchema.description;
      delete jsonSchema.additionalProperties;
      // Describe the fields of a result; the command's page describes their entries.
      if (path.length >= FIELD_DEPTH) {
        delete jsonSchema.properties;
        delete jsonSchema.required;
      }
      // Leave out long unions: the request determines the shape, and the command's page lists them all.
      if ((jsonSchema.anyOf?.length ?? 0) > 2) delete jsonSchema.anyOf;
    },
  });
  return described;
}

/** Field for warnings in a result; in some results `warnings` is already a number. */
export function warningsField({ output }: AnyCommand): string {
  const { shape = {} } = output as Partial<z.ZodObject>;
  return 'warnings' in shape ? 'diagnostics' : 'warnings';
}

/** Leaves out fields that the text contains, and adds the field for warnings. */
function withoutText(
  schema: JsonSchema,
  { command, row: { inText = [] } }: Pick<ServedTool, 'command' | 'row'>,
): JsonSchema {
  const { properties, required, ...rest } = schema as JsonSchema & {
    properties?: JsonSchema;
    required?: string[];
  };
  // The command's page describes results with several shapes.
  if (properties === undefined || required === undefined) return schema;
  const kept = Object.entries(properties).filter(([field]) => !inText.includes(field));
  return {
    ...rest,
    properties: { ...Object.fromEntries(kept), [warningsField(command)]: { type: 'array' } },
    required: required.filter((field) => !inText.includes(field)),
  };
}

/** Clients also validate failed calls against the output schema, so it allows `error` instead. */
function withFailure(success: JsonSchema): JsonSchema {
  const { type, ...rest } = success;
  return { type, anyOf: [rest, { required: ['error'] }] };
}
