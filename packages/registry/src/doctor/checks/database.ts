import { appliedMigrations, migrations } from '../../store/index.ts';
import type { Check, Finding } from '../finding.ts';

/** Seconds the clocks may differ. */
const CLOCK_TOLERANCE = 5;

/** Version, schema and clock of the database, and whether somebody can administer the registry. */
export const checkDatabase: Check = async ({ database }) => {
  const findings: Finding[] = [];
  const add = (check: string, state: Finding['state'], message: string, fix?: string) =>
    findings.push({ check, state, message, ...(fix === undefined ? {} : { fix }) });
  const before = Date.now();
  const [row] = await database.query<{ version: string; now: Date }>(
    `select current_setting('server_version') as version, clock_timestamp() as now`,
  );
  const after = Date.now();
  add('database', 'ok', `${database.kind === 'embedded' ? 'embedded ' : ''}PostgreSQL ${row!.version}`);

  const applied = await appliedMigrations(database);
  const missing = migrations.filter(({ name }) => !applied.includes(name));
  if (missing.length === 0) add('schema', 'ok', `${applied.length} migrations`);
  else
    add('schema', 'error', `${missing.length} migrations are missing`, 'run: skillwright-registry migrate');

  const apart = Math.max(0, before - row!.now.getTime(), row!.now.getTime() - after) / 1000;
  if (apart <= CLOCK_TOLERANCE) add('clock', 'ok', 'agrees with the database');
  else
    add(
      'clock',
      'warning',
      `this machine and the database are ${Math.round(apart)} seconds apart`,
      'synchronise both with a time server',
    );

  const [admin] = await database.query(`select from accounts where is_admin and suspended is null limit 1`);
  if (admin === undefined)
    add('admin', 'error', 'nobody administers this registry', 'run: skillwright-registry admin token');
  else add('admin', 'ok', 'there is an administrator');
  return findings;
};
