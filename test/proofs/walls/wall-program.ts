// The entry of one wall as a process of its own: the simulated wall, whose file also has every opening of its doors. A change
// of the wall and the record of the opening are one write, so a kill leaves both or neither. Its parent types codes by
// messages.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { keepConnected } from '../../../service/simulated-wall/connection/connection.ts';
import { Wall } from '../../../service/simulated-wall/lockers/wall.ts';
import { WallFile } from '../../../service/simulated-wall/lockers/wall-memory.ts';
import type { WallState } from '../../../service/simulated-wall/lockers/wall-state.ts';

const { WALL_PATH = '', WALL_PUP = '', WALL_SERVICE = '', WALL_CLIENT = '', WALL_SECRET = '' } = process.env;

class RecordingFile extends WallFile {
  readonly #openings: string[];
  #recordedId: number;

  constructor() {
    super(WALL_PATH);
    const { openings = [], lastId = 0 } = JSON.parse(textOf(WALL_PATH));
    this.#openings = openings;
    this.#recordedId = lastId;
  }

  override write(state: WallState): void {
    for (const message of state.messages.filter(({ id }) => id > this.#recordedId))
      if (message.type === 'doorOpened' && message.commandId != null) this.#openings.push(message.commandId);
    this.#recordedId = Math.max(this.#recordedId, state.lastId);
    const next = `${WALL_PATH}.next`;
    writeFileSync(next, JSON.stringify({ ...state, openings: this.#openings }));
    renameSync(next, WALL_PATH);
  }
}

const wall = new Wall({ pupUid: WALL_PUP, file: new RecordingFile(), patienceMs: 2_000 });
process.on('message', (message: { number: number; code: string }) => {
  void wall.typeCode(message.code).then((answer) => {
    process.send?.({ number: message.number, outcome: answer.outcome });
  });
});
// Whoever opened it, or had it opened: a locker whose door stands open is nobody's next.
const shutDoors = () => {
  for (const { lockerUid, door } of wall.view().lockers) if (door === 'open') wall.close(lockerUid);
};
wall.watch(() => setImmediate(shutDoors));
setImmediate(shutDoors);
process.on('disconnect', () => process.exit());
const log = { info: () => undefined, warn: () => undefined };
const credentials = { clientId: WALL_CLIENT, clientSecret: WALL_SECRET };
await keepConnected(wall, { serviceUrl: WALL_SERVICE, credentials, log }, new AbortController().signal);

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '{}';
  }
}
