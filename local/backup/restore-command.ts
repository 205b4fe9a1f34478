// `npm run restore -- <folder>`.
import { readLocalSettings } from '../settings.ts';
import { folderGiven } from './folder-given.ts';
import { restore } from './restore.ts';

try {
  const folder = folderGiven('restore');
  const { home } = readLocalSettings(process.env);
  const { manifest, aside } = await restore(home, folder);
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
