// Brings a database up to date and prints the migrations it ran.

import { migrate } from '../../src/store/migrate.ts';
import { openPostgres } from '../../src/store/open-postgres.ts';

const database = openPostgres(process.argv[2]!);
process.stdout.write(`${(await migrate(database)).join(' ')}\n`);
await database.close();
