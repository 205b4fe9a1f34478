// A sender in a separate process, so that a test can kill it. DATABASE_URL and SENDER_OPTIONS (JSON) configure it.
import { startCallbackSender } from '../../../../service/callbacks/delivery/callback-sender.ts';
import { createLog } from '../../../../service/log.ts';
import { readSettings } from '../../../../service/settings.ts';
import { openDatabase } from '../../../../service/storage/database.ts';
import { SwitchBoard } from '../../../../service/switches/switches.ts';

const settings = readSettings({ ...process.env, SERVICE_MODE: 'staging' });
const database = openDatabase({
  url: settings.databaseUrl,
  connections: 5,
  onBrokenConnection: () => undefined,
});
const switchBoard = new SwitchBoard(database, settings.mode);
const options = JSON.parse(process.env.SENDER_OPTIONS ?? '{}');
startCallbackSender(settings, { database, switchBoard, log: createLog('error') }, options);
