import { appliedMigrations, migrations } from '../../store/index.ts';
import { type Check, failing, ok, warning } from '../finding.ts';

/** Seconds the clocks may differ. */
const CLOCK_TOLERANCE = 5;

/** Version, schema and clock of the database, and whether somebody can administer the registry. */
export const checkDatabase: Check = async ({ database, replica }) => {
  const before = Date.now();
  const [row] = await database.query<{ version: string; now: Date }>(
    `select current_setting('server_version') as version, clock_timestamp() as now`,
  );
  const after = Date.now();
  const apart = Math.max(0, before - row!.now.getTime(), row!.now.getTime() - after) / 1000;
  await replica?.look();
  const why = replica?.whyNot();
  const applied = await appliedMigrations(database);
  const missing = migrations.filter(({ name }) => !applied.includes(name));
  const [admin] = await database.query(`select from accounts where is_admin and suspended is null limit 1`);
  return [
    ok('database', `${database.kind === 'embedded' ? 'embedded ' : ''}PostgreSQL ${row!.version}`),
    ...(replica === undefined
      ? []
      : why === undefined
        ? [ok('replica', 'answers reads that may be a second old')]
        : [
            warning(
              'replica',
              `the primary answers every read, because the replica is not usable: ${why}`,
              'start the replica, or correct DATABASE_READ_URL',
            ),
          ]),
    missing.length === 0
      ? ok('schema', `${applied.at(-1)}`)
      : failing('schema', `${missing.length} migrations are missing`, 'run: skillwright-registry migrate'),
    apart <= CLOCK_TOLERANCE
      ? ok('clock', 'agrees with the database')
      : warning(
          'clock',
          `this machine and the database are ${Math.round(apart)} seconds apart`,
          'synchronise both with a time server',
        ),
    admin === undefined
      ? failing('admin', 'nobody administers this registry', 'run: skillwright-registry admin token')
      : ok('admin', 'there is an administrator'),
  ];
};
