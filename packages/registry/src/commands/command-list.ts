// Every command, in the order of the help.

import { admin } from './admin.ts';
import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { doctor } from './doctor.ts';
import { importCommand } from './import.ts';
import { migrateCommand } from './migrate.ts';
import { mirror } from './mirror.ts';
import { recover } from './recover.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { witness } from './witness.ts';

export const commands: readonly Command[] = [
  serve,
  doctor,
  backup,
  restore,
  recover,
  importCommand,
  migrateCommand,
  admin,
  mirror,
  witness,
];
