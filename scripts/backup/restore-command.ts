// `npm run restore -- <folder>`.
import { isConfirmed } from '../../shared/terminal/confirm.ts';
import { readLocalSettings } from '../settings.ts';
import { readArguments } from './read-arguments.ts';
import { restore } from './restore.ts';

const HELP = `npm run restore -- FOLDER [--from-elsewhere]   puts a backup of npm run backup in the place of the installation,
which must not run. What was there is moved aside, and nothing is deleted

  --from-elsewhere   take a backup that this installation has not made, or that was changed since, without asking
  --help             print this, and change nothing

What is in a database can run programs with the rights of the user that starts it. So a backup that is not of this
installation (of another machine, or made before a .lockerflow that is lost) is taken only if you say that you trust it. From
no backup come settings of Postgres, links, and files that are no part of an installation.`;

const FOREIGN =
  'this installation has not made the backup, or it was changed since. It can run programs with your rights as soon as ' +
  'npm start runs on it';

try {
  const { folder, fromElsewhere } = readArguments('restore', HELP);
  const { home } = readLocalSettings(process.env);
  const { manifest, aside } = await restore(home, folder, async () => {
    if (fromElsewhere) return;
    if (!process.stdin.isTTY)
      throw new Error(`${FOREIGN}: if you trust who has made it, add --from-elsewhere. Nothing was changed`);
    console.error(`restore: ${FOREIGN}`);
    if (!(await isConfirmed(`do you trust ${folder}, and restore it?`)))
      throw new Error('not confirmed; nothing was changed');
  });
  console.log(`restore: ${home} is as it was at ${manifest.at}`);
  if (aside)
    console.log(`restore: what was there before is in ${aside}; remove it when you do not need it any more`);
  console.log(
    `restore: start it (npm start -- --no-demo), then run: npx lockerflow compare --since ${manifest.at}\n` +
      'restore: it lists what flows and the service disagree about, and the command that mends each',
  );
} catch (error) {
  console.error(`restore: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
