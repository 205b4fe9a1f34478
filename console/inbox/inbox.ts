// The inbox of a console: everything that waits for a person, and the comparison by which it finds what no process knows.
import type { ServiceReader } from '../../activities/api/compared-service.ts';
import { peerSettings, readPeer } from '../../contract/wire/peer.ts';
import type { Acting } from '../../processes/at-temporal.ts';
import { readSettings } from '../../runtime/settings/read-settings.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { Comparisons } from './comparisons.ts';
import { decisions } from './decisions.ts';
import { disagreements, type Mended, mend } from './disagreements.ts';
import type { InboxView } from './inbox-view.ts';
import { itemsLeft } from './items-left.ts';
import { LateCallbacks } from './late-callbacks.ts';
import { parked } from './parked.ts';
import { ProcessClocks } from './process-clocks.ts';
import { questions } from './questions.ts';
import { readInbox } from './read-inbox.ts';
import type { InboxSource } from './source.ts';

export class Inbox {
  readonly comparisons: Comparisons;
  readonly #parts: ConsoleParts;
  readonly #late: LateCallbacks;
  readonly #sources: readonly InboxSource[];

  constructor(parts: ConsoleParts) {
    const reader = serviceReader(parts);
    this.#parts = parts;
    this.comparisons = new Comparisons(parts, reader);
    this.#late = new LateCallbacks(parts, reader);
    const asked = questions(new ProcessClocks());
    this.#sources = [decisions, asked, itemsLeft, parked, disagreements(this.#found)];
  }

  read(): Promise<InboxView> {
    return readInbox(this.#parts, this.#sources, this.#found);
  }

  mend(acting: Acting & Pick<ReturnType<ConsoleParts['as']>, 'service'>, wanted: Mended): Promise<string> {
    return mend(acting, this.#found, wanted);
  }

  get #found() {
    return { comparisons: this.comparisons, late: this.#late };
  }
}

function serviceReader({ service, variables }: ConsoleParts): ServiceReader {
  const head = 'The console cannot start; these settings are wrong';
  const peer = readPeer(readSettings(head, peerSettings, variables));
  return { peer, call: (operation, request) => service.call(operation, request) };
}
