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

/** No webhook was switched off. */
export const checkWebhooks: Check = async ({ database }) => {
  const webhooks = await database.query<{ owner: string; url: string; disabled: string | null }>(
    'select o.name as owner, w.url, w.disabled from webhooks w join owners o on o.id = w.owner_id order by w.created_at',
  );
  if (webhooks.length === 0) return [];
  const off = webhooks.filter(({ disabled }) => disabled !== null);
  if (off.length === 0) return [ok('webhooks', `all ${webhooks.length} are on`)];
  return off.map(({ owner, url, disabled }) =>
    warning(
      'webhooks',
      `the one of @${owner} to ${new URL(url).host} is ${disabled}`,
      `remove it and add it again on the page /@${owner}`,
    ),
  );
};

/** Mirrors reach their sources. */
export const checkMirrors: Check = async ({ database }) => {
  const mirrors = await database.query<{ source: string; failure: string | null }>(
    'select source, failure from mirrors order by id',
  );
  if (mirrors.length === 0) return [];
  const failed = mirrors.filter(({ failure }) => failure !== null);
  if (failed.length === 0) return [ok('mirrors', `the last runs of ${mirrors.length} reached their sources`)];
  return failed.map(({ source, failure }) =>
    warning(
      'mirrors',
      `${source} fails: ${failure}`,
      'sync it on the page /admin/mirrors when the source is back, or remove it there',
    ),
  );
};
