// `npm run backup -- <folder>`.
import { forgetOwnDatabase } from '../own-database.ts';
import { readLocalSettings } from '../settings.ts';
import { backUp } from './backup.ts';
import { readArguments } from './read-arguments.ts';

const HELP = `npm run backup -- FOLDER   copies the installation of npm start, while it runs, into a new folder

  --help   print this, and copy nothing

The folder gets the stores, the walls' memory and the keys (FOLDER/keys: keep them apart from the rest), and no settings of
Postgres. backup.mac shows npm run restore that this installation has made the backup; its key, backup-key, stays in
.lockerflow and is in no backup.`;

try {
  const { folder } = readArguments('backup', HELP);
  const { home: own } = readLocalSettings({ LOCKERFLOW_HOME: process.env.LOCKERFLOW_HOME });
  forgetOwnDatabase(process.env, own);
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE)
    throw new Error(
      'DATABASE_URL names a Postgres of your own: back it up with its own tools (pg_dump, pg_basebackup). ' +
        'npm run backup is for the embedded one',
    );
  const { home } = readLocalSettings(process.env);
  const { at, files } = await backUp(home, folder);
  const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
  console.log(`backup: ${folder} has ${home} of ${at}, ${Math.ceil(bytes / 1_000_000)} MB`);
  console.log(
    `backup: keep ${folder}/keys apart from the rest: both together give away every key of the service`,
  );
} catch (error) {
  console.error(`backup: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
